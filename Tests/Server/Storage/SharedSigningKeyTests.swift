import Dispatch
import HearthCatalog
import HearthConcurrency
import HearthIdentity
import HearthStorage
import HearthStoragePostgres
import Testing

@testable import HearthStorageTestSupport

/// Two servers over one database, each with what it knows of the keys.
@Suite("Signing keys of several servers") struct SharedSigningKeyTests {
    private static let start: Int64 = 1_800_000_000_000_000
    private static let minute: Int64 = 60_000_000

    /// One of the servers.
    private struct Replica {
        let metadata: any MetadataStore
        let secret: ServerSecret

        init(_ metadata: any MetadataStore, at time: Int64 = start) throws {
            self.metadata = metadata
            secret = try ServerSecret(store: MetadataSigningKeyStore(metadata), nowMicroseconds: time)
        }

        func rotate(at time: Int64) throws {
            let keys = try metadata.write { try secret.rotate(in: $0, nowMicroseconds: time).keys }
            try secret.accept(keys, nowMicroseconds: time)
        }

        func retire(_ number: Int, at time: Int64) throws {
            let keys = try metadata.write { try secret.retire(number, in: $0, nowMicroseconds: time).keys }
            try secret.accept(keys, nowMicroseconds: time)
        }

        func sign() -> String { LinkSigner(secret: secret).signature(path: "/x", expires: 100) }

        func accepts(_ signature: String) -> Bool {
            LinkSigner(secret: secret).check(path: "/x", expires: 100, signature: signature, nowSeconds: 1) == .valid
        }

        func hash() -> Int64 { InstallationHash(secret: secret).hash(of: "f", project: "p") }
    }

    /// What each server has; with PostgreSQL a connection of its own.
    private func withStores(
        _ kind: MetadataKind, count: Int, _ body: (_ stores: [any MetadataStore]) throws -> Void
    ) throws {
        switch kind {
        case .sqlite: try body(Array(repeating: kind.makeEmptyStore(), count: count))
        case .postgres:
            let database = try TestDatabase()
            try body((0..<count).map { _ in try PostgresMetadataStore(database.configuration) })
            withExtendedLifetime(database) {}
        }
    }

    private func withReplicas(_ kind: MetadataKind, _ body: (_ one: Replica, _ two: Replica) throws -> Void) throws {
        try withStores(kind, count: 2) { stores in try body(Replica(stores[0]), Replica(stores[1])) }
    }

    /// Until the server has heard of the last change, which takes a moment between connections.
    private func refresh(_ replica: Replica, at time: Int64, until condition: () -> Bool) throws {
        try waitUntil("the other server's change") {
            try replica.secret.refresh(nowMicroseconds: time)
            return condition()
        }
    }

    private func numbers(_ replica: Replica, at time: Int64) -> [String] {
        replica.secret.list(nowMicroseconds: time).map { "\($0.number) \($0.state)" }
    }

    @Test("Servers over one database sign with the same key, also when they start at once")
    func sameKey() throws {
        for kind in MetadataKind.allCases {
            try withReplicas(kind) { one, two in
                #expect(one.sign() == two.sign() && two.accepts(one.sign()))
                #expect(one.hash() == two.hash())
            }
        }
    }

    @Test("Servers that start at once on an empty database agree on the key", arguments: MetadataKind.allCases)
    func startsAtOnce(kind: MetadataKind) throws {
        try withStores(kind, count: 4) { stores in
            let signatures = Lock<[String]>([])
            DispatchQueue.concurrentPerform(iterations: stores.count) { index in
                do {
                    let signature = try Replica(stores[index]).sign()
                    signatures.withLock { $0.append(signature) }
                } catch { Issue.record(error) }
            }
            #expect(signatures.withLock { $0.count } == 4 && Set(signatures.withLock { $0 }).count == 1)
            let keys = try stores[0].read { try $0.signingKeys() }
            #expect(keys.count == 1)
        }
    }

    @Test(
        "The server that rotates signs with the new key only when the other one knows it",
        arguments: MetadataKind.allCases)
    func rotatorFirst(kind: MetadataKind) throws {
        try withReplicas(kind) { one, two in
            let old = one.sign()
            try one.rotate(at: Self.start)
            #expect(one.sign() == old, "the other server does not know the new key yet")
            try refresh(two, at: Self.start + 1) { numbers(two, at: Self.start + 1).count == 2 }
            #expect(two.sign() == old)
            try one.secret.refresh(nowMicroseconds: Self.start + Self.minute)
            let new = one.sign()
            #expect(new != old)
            #expect(two.accepts(new) && two.accepts(old), "although it signs with the old key itself")
            #expect(two.sign() == old && one.accepts(old))
            try two.secret.refresh(nowMicroseconds: Self.start + Self.minute)
            #expect(two.sign() == new)
        }
    }

    @Test("The server that did not rotate may be the first to sign with the new key", arguments: MetadataKind.allCases)
    func otherFirst(kind: MetadataKind) throws {
        try withReplicas(kind) { one, two in
            let old = one.sign()
            try one.rotate(at: Self.start)
            // Its clock is ahead.
            try refresh(two, at: Self.start + Self.minute) { two.sign() != old }
            #expect(one.sign() == old && one.accepts(two.sign()), "accepted at once by the one that made it")
        }
    }

    @Test(
        "A server that starts in the first minute of a key signs with the older one", arguments: MetadataKind.allCases)
    func startInBetween(kind: MetadataKind) throws {
        try withReplicas(kind) { one, two in
            let old = one.sign()
            try two.rotate(at: Self.start)
            let third = try Replica(two.metadata, at: Self.start + Self.minute / 2)
            #expect(third.sign() == old)
            // A key from hours ahead was made by a wrong clock, and does not wait until then.
            let later = try Replica(two.metadata, at: Self.start - 3_600_000_000)
            #expect(later.sign() != old && third.accepts(later.sign()))
        }
    }

    @Test(
        "What one server retires the other refuses, and hashes of installations stay", arguments: MetadataKind.allCases)
    func retirement(kind: MetadataKind) throws {
        try withReplicas(kind) { one, two in
            let (old, hash) = (one.sign(), one.hash())
            try one.rotate(at: Self.start)
            let later = Self.start + Self.minute
            #expect(throws: CatalogError.self) { try one.retire(1, at: later - 1) }
            try one.retire(1, at: later)
            #expect(!one.accepts(old) && one.sign() != old)
            #expect(two.accepts(old), "it has not heard of it yet")
            try refresh(two, at: later) { !two.accepts(old) }
            #expect(two.sign() == one.sign())
            let third = try Replica(two.metadata, at: later)
            #expect([one.hash(), two.hash(), third.hash()] == [hash, hash, hash])
            #expect(!third.accepts(old) && third.accepts(one.sign()))
            #expect(numbers(third, at: later) == ["1 retired", "2 signing"])
            let stored = try one.metadata.read { try $0.signingKeys() }
            #expect(stored[0].secret == [], "who reads the database cannot sign with it any more")
        }
    }

    @Test("Rotations of two servers at once make two keys", arguments: MetadataKind.allCases)
    func rotationsAtOnce(kind: MetadataKind) throws {
        try withReplicas(kind) { one, two in
            let replicas = [one, two]
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                do { try replicas[index].rotate(at: Self.start) } catch { Issue.record(error) }
            }
            for replica in replicas {
                try refresh(replica, at: Self.start) {
                    numbers(replica, at: Self.start) == ["1 signing", "2 valid", "3 valid"]
                }
            }
        }
    }

    @Test("A server goes on with its keys when they cannot be read, and says so")
    func damaged() throws {
        let metadata = try MetadataKind.sqlite.makeEmptyStore()
        let one = try Replica(metadata)
        let old = one.sign()
        try metadata.write { try $0.insert(SigningKey(number: 2, secret: [1], createdMicroseconds: 1)) }
        #expect(code { try one.secret.refresh(nowMicroseconds: Self.start) } == .corrupt)
        #expect(one.sign() == old)
    }
}

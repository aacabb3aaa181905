package import HearthCatalog
import HearthConcurrency
import HearthCrypto
package import HearthFiles
package import HearthStorage
import HearthWire

/// The server's signing keys, and the keys derived from them for each purpose. Any thread.
///
/// The newest key signs. All keys that are not retired verify, so what an older key signed stays valid after a rotation.
/// Anyone who knows a key in use can sign links and tokens; nothing else on the server allows that.
///
/// Servers that share their keys must accept what one of them signs with a new key. So a new key only verifies for the
/// first minute, in which every server has heard of it: each compares the store's revision once a second. A server that is
/// cut off from the database for longer than that refuses what the others sign, and devices then ask again. The other way,
/// to look an unknown signature up in the database, would let anyone with a forged token make a thread of the HTTP server
/// wait for the database.
package final class ServerSecret: Sendable {
    private struct State {
        /// Oldest first, with one in use at least.
        var keys: [SigningKey]
        /// The number of the key that signs.
        var signer: Int
        var derived: DerivedKeys
        /// The store's revision before `keys` were read; nil after a change of this server's own.
        var revision: UInt64?
        /// Counts the changes of this server's own.
        var changes = 0
    }

    /// The most keys in use. A token that none of them signed costs a tag for each.
    package static let mostInUse = 10

    /// How long a new key of several servers only verifies.
    package static let settlingMicroseconds: Int64 = 60_000_000
    /// A key from further ahead was made while a clock was wrong. The clocks of several servers may differ by less.
    private static let leewayMicroseconds: Int64 = 300_000_000

    /// The key of `InstallationHash`, which never changes: counts over months compare these hashes.
    let installationHashKey: [UInt8]
    private let store: any SigningKeyStore
    /// Keys of another server whose devices this one answers; nil without one.
    private let mirrored: Lock<MirroredSecret?>
    private let state: Lock<State>

    /// Reads the keys, and makes the first one if there is none.
    ///
    /// - Parameter mirrored: keys of another server whose devices this one answers.
    package init(store: any SigningKeyStore, mirrored: MirroredSecret? = nil, nowMicroseconds: Int64) throws {
        let revision = store.revision
        let keys = try store.loadOrMake(nowMicroseconds: nowMicroseconds)
        guard let first = keys.first else { throw StorageError(.corrupt, "There is no signing key") }
        self.store = store
        let signer = try Self.signer(of: keys, isShared: store.isShared, nowMicroseconds: nowMicroseconds)
        let ownHashKey = first.isRetired ? first.installationHashKey : DerivedKeys.installationHashKey(of: first)
        installationHashKey = mirrored?.keys.installationHashKey ?? ownHashKey
        self.mirrored = Lock(mirrored)
        state = Lock(
            State(
                keys: keys, signer: signer, derived: DerivedKeys(keys, signer: signer, mirrored), revision: revision))
    }

    /// What another server needs to answer the devices of this one.
    package var mirroredKeys: MirroredKeys {
        let derived = derived
        return MirroredKeys(
            deviceTokens: derived.deviceTokenKeys, refreshTokens: derived.refreshTokenKeys,
            installationHashKey: installationHashKey)
    }

    /// Replaces the keys of the other server, apart from that of the hashes, which stays until the next start.
    package func use(_ mirrored: MirroredSecret) {
        self.mirrored.withLock { $0 = mirrored }
        state.withLock { $0.derived = DerivedKeys($0.keys, signer: $0.signer, mirrored) }
    }

    /// The keys in files whose first one is at `path`.
    package convenience init(path: String, files: any FileOperations = DiskFiles()) throws {
        try self.init(
            store: FileSigningKeyStore(firstPath: path, files: files), nowMicroseconds: Timestamp.now.microseconds)
    }

    /// The keys by purpose, for one signature or check.
    var derived: DerivedKeys { state.withLock { $0.derived } }

    /// The newest key in use, or with several servers the newest one that all of them know; right after the first start
    /// the only one.
    private static func signer(of keys: [SigningKey], isShared: Bool, nowMicroseconds: Int64) throws -> Int {
        let used = keys.filter { !$0.isRetired }
        let settled = isShared ? used.last { settlesAt($0, nowMicroseconds) == nil } : used.last
        guard let signer = settled ?? used.first else { throw StorageError(.corrupt, "All signing keys are retired") }
        return signer.number
    }

    /// When the key may begin to sign; nil if it may now.
    private static func settlesAt(_ key: SigningKey, _ nowMicroseconds: Int64) -> Int64? {
        let age = nowMicroseconds.subtractingReportingOverflow(key.createdMicroseconds).partialValue
        guard age < settlingMicroseconds, age > -leewayMicroseconds else { return nil }
        return key.createdMicroseconds + settlingMicroseconds
    }
}

/// The keys of a purpose: the one that signs first, then the others that verify, newest first.
final class DerivedKeys: Sendable {
    let accessTokens: [HMACSHA256]
    let deviceTokens: [HMACSHA256]
    let refreshTokens: [HMACSHA256]
    let links: [HMACSHA256]
    /// The keys of `deviceTokens` and `refreshTokens`, for a server that mirrors this one.
    let deviceTokenKeys: [[UInt8]]
    let refreshTokenKeys: [[UInt8]]

    init(_ keys: [SigningKey], signer: Int, _ mirrored: MirroredSecret? = nil) {
        let used = keys.filter { !$0.isRetired }
        let ordered = used.filter { $0.number == signer } + used.filter { $0.number != signer }.reversed()
        let roots = ordered.map { HMACSHA256(key: $0.secret) }
        func derived(_ purpose: String) -> [[UInt8]] { roots.map { $0.tag(for: Array(purpose.utf8)) } }
        func joined(_ own: [[UInt8]], _ others: [[UInt8]]) -> [[UInt8]] {
            mirrored?.signs == true ? others + own : own + others
        }
        deviceTokenKeys = joined(derived("installation token 1"), mirrored?.keys.deviceTokens ?? [])
        refreshTokenKeys = joined(derived("installation refresh token 2"), mirrored?.keys.refreshTokens ?? [])
        accessTokens = derived("admin access token 2").map { HMACSHA256(key: $0) }
        deviceTokens = deviceTokenKeys.map { HMACSHA256(key: $0) }
        refreshTokens = refreshTokenKeys.map { HMACSHA256(key: $0) }
        links = derived("download link 1").map { HMACSHA256(key: $0) }
    }

    static func installationHashKey(of key: SigningKey) -> [UInt8] {
        Self.key(for: "adoption 1", HMACSHA256(key: key.secret)).tag(for: [])
    }

    /// A key for one purpose. A tag made for one purpose is invalid for all others.
    private static func key(for purpose: String, _ root: HMACSHA256) -> HMACSHA256 {
        HMACSHA256(key: root.tag(for: Array(purpose.utf8)))
    }
}

/// What operators see and do.
extension ServerSecret {
    /// A key without its secret.
    package struct Listed: Sendable, Hashable {
        package enum State: String, Sendable {
            case signing
            case valid
            case retired
        }

        package let number: Int
        package let createdMicroseconds: Int64
        package let retiredMicroseconds: Int64?
        package let state: State
        /// When a new key begins to sign, while it does not yet.
        package let signsFromMicroseconds: Int64?
    }

    /// All keys, oldest first.
    package func list(nowMicroseconds: Int64) -> [Listed] {
        let (keys, signer) = state.withLock { ($0.keys, $0.signer) }
        return keys.map { listed($0, signer: signer, nowMicroseconds) }
    }

    private func listed(_ key: SigningKey, signer: Int, _ nowMicroseconds: Int64) -> Listed {
        let waits = store.isShared && !key.isRetired && key.number > signer
        return Listed(
            number: key.number, createdMicroseconds: key.createdMicroseconds,
            retiredMicroseconds: key.retiredMicroseconds,
            state: key.isRetired ? .retired : key.number == signer ? .signing : .valid,
            signsFromMicroseconds: waits ? Self.settlesAt(key, nowMicroseconds) : nil)
    }

    /// Reads the keys if another server may have changed them, and lets a new key sign whose time has come. To be called
    /// about once a second, by one thread at a time.
    ///
    /// - Throws: if the keys cannot be read, or none of them is in use. The server goes on with those that it has.
    package func refresh(nowMicroseconds: Int64) throws {
        let revision = store.revision
        let (known, changes) = state.withLock { ($0.revision, $0.changes) }
        let read = known == revision ? nil : try store.load()
        try state.withLock { state in
            // Keys that were read before a change of this server's own are too old; the next call reads them again.
            guard state.changes == changes else { return }
            try use(read ?? state.keys, &state, nowMicroseconds)
            state.revision = revision
        }
    }

    /// Uses the keys that a committed change of this server returned.
    package func accept(_ keys: [SigningKey], nowMicroseconds: Int64) throws {
        try state.withLock { state in
            try use(keys, &state, nowMicroseconds)
            state.revision = nil
            state.changes += 1
        }
    }

    private func use(_ keys: [SigningKey], _ state: inout State, _ nowMicroseconds: Int64) throws {
        let signer = try Self.signer(of: keys, isShared: store.isShared, nowMicroseconds: nowMicroseconds)
        guard state.keys != keys || state.signer != signer else { return }
        state.derived = DerivedKeys(keys, signer: signer, mirrored.withLock { $0 })
        (state.keys, state.signer) = (keys, signer)
    }

    /// Makes a key in a transaction. Call `accept` with the result after the commit.
    ///
    /// - Parameter note: writes down that the key with this number is made, before it is: a file is not undone with the
    ///   transaction.
    /// - Throws: `CatalogError` if `mostInUse` are in use.
    package func rotate(
        in transaction: any MetadataWriter, nowMicroseconds: Int64, note: (_ number: Int) throws -> Void = { _ in }
    ) throws -> (made: SigningKey, keys: [SigningKey]) {
        let keys = try store.load(in: transaction)
        guard keys.count(where: { !$0.isRetired }) < Self.mostInUse else {
            throw CatalogError(
                .failedPrecondition,
                "There are \(Self.mostInUse) signing keys in use, which is the most: retire one first.")
        }
        let made = SigningKey.next(after: keys, nowMicroseconds: nowMicroseconds)
        try note(made.number)
        try store.add(made, in: transaction)
        return (made, keys + [made])
    }

    /// Retires a key in a transaction, if it is in use. Call `accept` with the result after the commit.
    ///
    /// - Parameter note: writes down that the key is retired, before it is.
    /// - Throws: `CatalogError` for the key that signs, and for a number that no key has.
    package func retire(
        _ number: Int, in transaction: any MetadataWriter, nowMicroseconds: Int64, note: () throws -> Void = {}
    ) throws -> (keys: [SigningKey], isChanged: Bool) {
        var keys = try store.load(in: transaction)
        guard let index = keys.firstIndex(where: { $0.number == number }) else {
            throw CatalogError(.notFound, "There is no signing key \(number).")
        }
        guard !keys[index].isRetired else { return (keys, false) }
        guard try Self.signer(of: keys, isShared: store.isShared, nowMicroseconds: nowMicroseconds) != number else {
            throw CatalogError(.failedPrecondition, Self.refusal(number, keys, nowMicroseconds))
        }
        try note()
        keys[index].retire(atMicroseconds: nowMicroseconds, installationHashKey: index == 0 ? installationHashKey : [])
        try store.retire(keys[index], in: transaction)
        return (keys, true)
    }

    private static func refusal(_ number: Int, _ keys: [SigningKey], _ nowMicroseconds: Int64) -> String {
        let next = keys.filter { !$0.isRetired && $0.number > number }.compactMap { settlesAt($0, nowMicroseconds) }
            .min()
        guard let next else {
            return "The key \(number) signs all new tokens and links: rotate first, then retire it."
        }
        let seconds = (next - nowMicroseconds + 999_999) / 1_000_000
        return "The key \(number) signs for \(seconds) s more, until all servers know its successor: retire it then."
    }
}

/// The keys of the server that this one followed before it was promoted. They verify what that server signed for devices.
extension ServerSecret {
    /// When their file was written, in microseconds since 1970; nil if there are none.
    package var formerKeysMicroseconds: Int64? { mirrored.withLock { $0?.source?.writtenMicroseconds } }

    /// Ends what the former main server signed, for good. The key of the hashes stays until the next start.
    ///
    /// - Throws: if the file cannot be removed. The keys are valid then.
    package func retireFormerKeys() throws {
        try mirrored.withLock { mirrored in
            guard let file = mirrored?.source?.file else { return }
            try DiskFiles().remove(file)
            try DiskFiles().synchronizeFolder(FilePath.folder(of: file))
            mirrored = nil
        }
        state.withLock { $0.derived = DerivedKeys($0.keys, signer: $0.signer) }
    }
}

/// Checks the expiry of what the server signed.
enum SignedTime {
    /// A time further ahead than the lifetime and this leeway was signed while the clock was wrong.
    private static let leewaySeconds: Int64 = 300

    /// Whether `expires` is in the future, and no further than `lifetimeSeconds` allow.
    static func isAhead(_ expires: Int64, lifetimeSeconds: Int64, nowSeconds: Int64) -> Bool {
        let (latest, isBeyond) = nowSeconds.addingReportingOverflow(lifetimeSeconds + leewaySeconds)
        return expires > nowSeconds && (isBeyond || expires <= latest)
    }
}

import HearthCatalog
import HearthStorage
import Testing

@testable import HearthStorageTestSupport

@Suite("Metadata: signing keys") struct MetadataSigningKeyTests {
    private static let keys = [
        SigningKey(
            number: 1, secret: [], installationHashKey: [9, 0, 255], createdMicroseconds: 30, retiredMicroseconds: 40),
        SigningKey(number: 2, secret: [UInt8](0..<32), createdMicroseconds: 20),
        SigningKey(number: 10, secret: [UInt8](repeating: 255, count: 32), createdMicroseconds: 10),
    ]

    @Test(
        "They come in the order of their numbers, and every server hears of a change", arguments: MetadataKind.allCases)
    func order(kind: MetadataKind) throws {
        let store = try kind.makeEmptyStore()
        #expect(try store.read { try $0.signingKeys() } == [])
        let before = store.servingRevision
        try store.write { store in for key in Self.keys.reversed() { try store.insert(key) } }
        #expect(store.servingRevision > before)
        #expect(try store.read { try $0.signingKeys() } == Self.keys)
        var retired = Self.keys[1]
        retired.retire(atMicroseconds: 50)
        let revision = store.servingRevision
        try store.write { try $0.update(retired) }
        #expect(store.servingRevision > revision)
        #expect(try store.read { try $0.signingKeys() } == [Self.keys[0], retired, Self.keys[2]])
        #expect(retired.secret == [] && retired.isRetired)
    }

    @Test("A number is that of one key", arguments: MetadataKind.allCases)
    func twins(kind: MetadataKind) throws {
        let store = try kind.makeEmptyStore()
        try store.write { try $0.insert(Self.keys[1]) }
        #expect(code { try store.write { try $0.insert(Self.keys[1]) } } == .conflict)
        #expect(code { try store.write { try $0.update(Self.keys[2]) } } == .notFound)
    }

    @Test("The first key is made once; when none is in use, the next one is", arguments: MetadataKind.allCases)
    func firstKey(kind: MetadataKind) throws {
        let metadata = try kind.makeEmptyStore()
        let store = MetadataSigningKeyStore(metadata)
        let first = try store.loadOrMake(nowMicroseconds: 5)
        #expect(first.map(\.number) == [1] && first[0].secret.count == 32 && first[0].createdMicroseconds == 5)
        #expect(try store.loadOrMake(nowMicroseconds: 6) == first)
        var retired = first[0]
        retired.retire(atMicroseconds: 7, installationHashKey: [1])
        try metadata.write { try store.retire(retired, in: $0) }
        let next = try store.loadOrMake(nowMicroseconds: 8)
        #expect(next.map(\.number) == [1, 2] && next[0] == retired)
    }

    @Test("A damaged key is an error", arguments: MetadataKind.allCases)
    func damaged(kind: MetadataKind) throws {
        let metadata = try kind.makeEmptyStore()
        try metadata.write { try $0.insert(SigningKey(number: 1, secret: [1, 2], createdMicroseconds: 1)) }
        #expect(code { _ = try MetadataSigningKeyStore(metadata).loadOrMake(nowMicroseconds: 1) } == .corrupt)
    }
}

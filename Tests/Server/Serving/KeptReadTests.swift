import HearthManagement
import HearthRouting
import HearthStorage
import Synchronization
import Testing

@testable import HearthManagementTestSupport

@Suite("What a server keeps in memory of the database") struct KeptReadTests {
    @Test("Snapshots are read so that the store notices when another database lacks what they contain")
    func snapshots() throws {
        var made: KeptReads?
        let service = try TestService { services in
            let store = KeptReads(services.metadata)
            (made, services.metadata) = (store, store)
        }
        let store = try #require(made)
        try service.handler.beginServing()
        let before = store.count
        #expect(before > 0)
        try service.makeModel("flowers", FakeProbe.ok(), isPublished: true)
        #expect(try service.info("flowers").status == 200)
        #expect(store.count > before)
    }
}

/// Counts what is read to be kept.
private final class KeptReads: MetadataStore {
    private let base: any MetadataStore
    private let reads = Atomic(0)

    init(_ base: any MetadataStore) { self.base = base }

    var count: Int { reads.load(ordering: .relaxed) }

    var servingRevision: UInt64 { base.servingRevision }
    var isDamaged: Bool { base.isDamaged }

    func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result { try base.read(body) }

    func readServed<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result {
        reads.add(1, ordering: .relaxed)
        return try base.readServed(body)
    }

    func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result { try base.write(body) }
}

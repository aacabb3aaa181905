import HearthManagement
import HearthRouting
import HearthStorage
import Testing

@testable import HearthManagementTestSupport

@Suite("What a server keeps in memory of the database") struct KeptReadTests {
    @Test("Snapshots are read so that the store notices when another database lacks what they contain")
    func snapshots() throws {
        var made: HeldReads?
        let service = try TestService { services in
            let store = HeldReads(services.metadata)
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

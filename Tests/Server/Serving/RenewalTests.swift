import HearthCatalog
import HearthStorage
import HearthStorageSQLite
import HearthTestSupport
import Synchronization
import Testing

@testable import HearthServing

@Suite("The queue that makes new snapshots") struct RenewalTests {
    @Test("Changes that come while a snapshot is made share the next one, and only the last template is announced")
    func shared() throws {
        let folder = try TemporaryFolder()
        let store = HeldReads(try SQLiteMetadataStore(path: folder.path + "/hearth.sqlite"))
        try store.write { try $0.insert(Project(id: "project-a", number: 1, createdMicroseconds: 0)) }
        let serving = ServingState(store, monotonicMicroseconds: { 0 }, log: { _ in })
        let announced = Mutex<[Int64]>([])
        _ = try serving.current()
        serving.start { number, _, _ in announced.withLock { $0.append(number) } }
        #expect(store.count == 1)

        let held = store.holdNext()
        defer { held.release() }
        try change(store, serving, 1)
        try held.waitUntilReached()
        for number in 2...9 { try change(store, serving, Int64(number)) }
        held.release()
        serving.finishRenewal()

        #expect(store.count == 3)
        #expect(announced.withLock { $0 } == [1, 9])
    }

    /// Publishes a template, as a call does.
    private func change(_ store: HeldReads, _ serving: ServingState, _ number: Int64) throws {
        try store.write { store in
            try store.insert(
                TemplateVersion(
                    projectID: "project-a", namespace: "firebase", number: number, body: "{}",
                    createdMicroseconds: number, createdBy: "ann@example.test", description: "", origin: .node,
                    kind: .incremental))
        }
        serving.settle()
    }
}

import Dispatch
import HearthCatalog
import HearthStorage
import Testing

@testable import HearthStorageTestSupport

@Suite("Metadata: many threads") struct MetadataConcurrencyTests {
    @Test("While a write is open, others see the old state and need not wait", arguments: MetadataKind.allCases)
    func openWrite(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        func seen() throws -> Int {
            try onAnotherThread { try store.read { try $0.models(project: "project-a", after: 0, limit: 9).count } }
        }
        try store.write { writer in
            try writer.insert(Records.model(1, "flowers"))
            #expect(try seen() == 0)
            try writer.insert(Records.model(2, "trees"))
            #expect(try seen() == 0)
            #expect(try writer.models(project: "project-a", after: 0, limit: 9).count == 2)
        }
        #expect(try seen() == 2)
    }

    @Test("A read keeps to the state it began with while others write", arguments: MetadataKind.allCases)
    func openRead(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        try store.read { (reader) throws in
            #expect(try reader.model(id: 1, project: "project-a") == nil)
            try onAnotherThread { try store.write { try $0.insert(Records.model(1, "flowers")) } }
            #expect(try reader.model(id: 1, project: "project-a") == nil)
            #expect(try reader.models(project: "project-a", after: 0, limit: 9).isEmpty)
        }
        #expect(try store.read { try $0.model(id: 1, project: "project-a") } != nil)
    }

    @Test("Writers take turns, and readers never see half of a write", arguments: MetadataKind.allCases)
    func manyThreads(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        try store.write { store in
            try store.insert(Records.model(1, "left"))
            try store.insert(Records.model(2, "right"))
        }
        let (threads, rounds) = (8, 12)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            for _ in 0..<rounds {
                #expect(throws: Never.self) {
                    try store.write { store in
                        for id in [1, 2] as [Int64] {
                            var model = try #require(try store.model(id: id, project: "project-a"))
                            model.revision += 1
                            try store.update(model)
                        }
                        try store.append(Records.entry("round"))
                    }
                    let revisions = try store.read { (store) throws in
                        try [1, 2].map { try store.model(id: $0, project: "project-a")?.revision }
                    }
                    #expect(revisions[0] == revisions[1])
                }
            }
        }
        let total = Int64(threads * rounds)
        #expect(try store.read { try $0.model(id: 2, project: "project-a")?.revision } == 4 + total)
        #expect(try store.read { try $0.audit(project: "project-a", before: nil, limit: 1000).count } == Int(total))
    }

    @Test("Threads never get the same id", arguments: MetadataKind.allCases)
    func ids(kind: MetadataKind) throws {
        let store = try kind.makeStore()
        DispatchQueue.concurrentPerform(iterations: 24) { number in
            #expect(throws: Never.self) {
                try store.write { try $0.insert(Records.model(try $0.nextModelID(), "model-\(number)")) }
            }
        }
        let ids = try store.read { try $0.models(project: "project-a", after: 0, limit: 100).map(\.id) }
        #expect(ids == Array(1_000_001...1_000_024))
    }
}

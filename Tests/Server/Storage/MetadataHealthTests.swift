import HearthCatalog
import HearthStorage
import HearthWire
import Testing

@testable import HearthStorageTestSupport

@Suite("Metadata: health, and how releases are watched") struct MetadataHealthTests {
    private static let minute: Int64 = 60_000_000

    private func makeStore(_ kind: MetadataKind) throws -> any MetadataStore {
        let store = try kind.makeStore()
        try store.write { store in
            try store.insert(Records.model(7, "flowers"))
            try store.insert(Records.version(1, model: 7))
            for number in 1...2 { try store.insert(Records.release(number, model: 7)) }
        }
        return store
    }

    @Test(
        "Reports are added up for each version, also when they become part of a longer period",
        arguments: MetadataKind.allCases)
    func health(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        var report = ModelHealth(model: "flowers", modelHash: "hash 1")
        (report.runs, report.loadFailures) = (2, ["io": 3])
        var sum = HealthCounts(report)
        sum.add(sum)
        let other = ModelHealth(model: "flowers", modelHash: "of no version")
        let expected = [1: sum, AdoptionSample.other: HealthCounts(other)]
        try store.write { store in
            for (report, minute) in [(report, Int64(3)), (report, 4), (other, 4)] {
                try store.add(report, project: "project-a", nowMicroseconds: minute * Self.minute)
            }
        }
        #expect(try store.read { try $0.health(model: 7, sinceMinute: 3) } == expected)
        #expect(try store.read { try $0.health(model: 7, sinceMinute: 5) } == [:])
        #expect(try store.read { try !$0.hasHealthToFold(nowMicroseconds: 123 * Self.minute) })
        #expect(try store.read { try $0.hasHealthToFold(nowMicroseconds: 125 * Self.minute) })
        #expect(try store.write { try $0.foldHealth(nowMicroseconds: 125 * Self.minute, limit: 10) } == 3)
        #expect(try store.read { try $0.health(model: 7, sinceMinute: 59) } == expected, "it is of one hour now")
        #expect(try store.read { try $0.health(model: 7, sinceMinute: 60) } == [:])
    }

    @Test("Each release has one watch", arguments: MetadataKind.allCases)
    func watches(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        func watch(_ release: Int, _ tests: String) -> RolloutWatchRecord {
            RolloutWatchRecord(modelID: 7, release: release, tests: tests, devices: [1, 0], outside: [0, 2])
        }
        try store.write { store in
            for watch in [watch(2, "b"), watch(1, "a"), watch(2, "c")] { try store.put(watch) }
        }
        #expect(try store.read { try $0.rolloutWatches() } == [watch(1, "a"), watch(2, "c")])
        try store.write { try $0.deleteRolloutWatch(of: 1, model: 7) }
        #expect(try store.read { try $0.rolloutWatches() } == [watch(2, "c")])
    }
}

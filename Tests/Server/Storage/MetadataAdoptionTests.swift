import HearthCatalog
import HearthStorage
import Testing

@testable import HearthStorageTestSupport

@Suite("Metadata: which versions installations have") struct MetadataAdoptionTests {
    private static let today: Int64 = 20_000
    private static let model: Int64 = 7

    private func makeStore(_ kind: MetadataKind) throws -> any MetadataStore {
        let store = try kind.makeStore()
        try store.write { store in
            try store.insert(Records.model(Self.model, "flowers"))
            for number in 1...2 {
                var version = Records.version(number, model: Self.model)
                version.sha256 = "000000000000000\(number)" + String(repeating: "e", count: 48)
                try store.insert(version)
            }
        }
        return store
    }

    private func sighting(
        _ installation: Int64, _ named: UInt64?, day: Int64 = today, system: String = "ios", app: String = "1.0",
        model: Int64 = model
    ) -> AdoptionSighting {
        AdoptionSighting(
            modelID: model, installation: installation, named: named, system: system, appVersion: app, day: day)
    }

    private func counts(
        _ store: any MetadataStore, today: Int64 = today, most: Int = 50
    ) throws -> (tally: AdoptionTally, versions: [Int: [Double]]) {
        let tally = try store.read { try $0.adoption(model: Self.model, today: today, most: most) }
        return (tally, tally.versions.mapValues { $0.windows.map(\.count) })
    }

    @Test("An installation counts once, for what it said last", arguments: MetadataKind.allCases)
    func last(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        let changes = try store.write { store in
            try store.recordAdoption(
                [
                    sighting(1, 1), sighting(2, 2), sighting(3, nil), sighting(4, 0xabc), sighting(5, 1),
                    sighting(5, 2, app: "2.0"), sighting(6, 1, model: 99),
                ], today: Self.today)
        }
        #expect(changes == 6)
        var found = try counts(store)
        #expect(found.versions == [1: [1, 1, 1], 2: [2, 2, 2], 0: [1, 1, 1], -1: [1, 1, 1]])
        #expect(found.tally.appVersions.mapValues { $0.windows[0].count } == ["1.0": 4, "2.0": 1])
        // Nothing new writes nothing, and an older day changes nothing.
        let again = [sighting(5, 2, app: "2.0"), sighting(5, 1, day: Self.today - 1)]
        #expect(try store.write { try $0.recordAdoption(again, today: Self.today) } == 0)
        found = try counts(store)
        #expect(found.versions[2] == [2, 2, 2])
        #expect(found.tally.versions.values.allSatisfy { $0.windows.allSatisfy { $0.margin == 0 } })
    }

    @Test("Windows end today, and what is older is removed", arguments: MetadataKind.allCases)
    func windows(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        let days: [Int64] = [0, 1, 6, 7, 27]
        _ = try store.write { store in
            for (index, ago) in days.enumerated() {
                let day = Self.today - ago
                _ = try store.recordAdoption([sighting(Int64(index), 1, day: day)], today: day)
            }
        }
        #expect(try counts(store).versions == [1: [1, 3, 5]])
        let tomorrow = Self.today + 1
        #expect(try store.read { try $0.adoptionModelToClean(today: tomorrow) } == Self.model)
        #expect(try store.write { try $0.cleanAdoption(model: Self.model, today: tomorrow) } == 1)
        #expect(try store.read { try $0.adoptionModelToClean(today: tomorrow) } == nil)
        #expect(try counts(store, today: tomorrow).versions == [1: [0, 2, 4]])
        // What a clock said that was years ahead does not stay.
        _ = try store.write { try $0.recordAdoption([sighting(0, 1, day: 30_000)], today: 30_000) }
        _ = try store.write { try $0.recordAdoption([sighting(0, 2, day: tomorrow)], today: tomorrow) }
        #expect(try counts(store, today: tomorrow).versions == [1: [0, 1, 3], 2: [1, 1, 1]])
    }

    @Test("A rare value has no line of its own", arguments: MetadataKind.allCases)
    func others(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        _ = try store.write { store in
            try store.recordAdoption(
                (0..<9).map { sighting($0, 1, system: $0 < 4 ? "ios" : $0 < 7 ? "" : "rare\($0)") },
                today: Self.today)
        }
        let systems = try counts(store, most: 2).tally.systems
        #expect(systems.mapValues { $0.windows[2].count } == ["ios": 4, "": 3, nil: 2])
    }

    @Test("Models and installations that are deleted count no more", arguments: MetadataKind.allCases)
    func deleted(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        try store.write { store in
            try store.insert(Records.model(8, "other", project: "project-b"))
            _ = try store.recordAdoption(
                [sighting(1, 1), sighting(2, 1), sighting(1, nil, model: 8)], today: Self.today)
            try store.deleteAdoption(of: 1, project: "project-a")
        }
        #expect(try counts(store).versions == [1: [1, 1, 1]])
        #expect(try store.read { try $0.adoptionModels(limit: 9) }.map(\.rows) == [1, 1])
        #expect(try store.read { try $0.adoptionRows(model: 8, after: 0, limit: 9) }.map(\.installation) == [1])
        let model = try #require(try store.read { try $0.model(id: Self.model, project: "project-a") })
        try store.write { try $0.delete(model) }
        #expect(try counts(store).versions.isEmpty)
        #expect(try store.read { try $0.adoptionModels(limit: 9) }.map(\.id) == [8])
    }

    /// 100,000 installations, evenly distributed.
    private func fleet(_ named: UInt64?, _ range: Range<Int64> = 0..<100_000, day: Int64 = today) -> [AdoptionSighting]
    {
        range.map { sighting($0 * (Int64.max / 100_000), named, day: day) }
    }

    @Test("The sample of a large fleet is small, and says what it does not know", arguments: MetadataKind.allCases)
    func samples(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        _ = try store.write { try $0.recordAdoption(fleet(1), today: Self.today) }
        let rows = try store.read { try $0.adoptionModels(limit: 1) }[0].rows
        #expect(rows == 50_001)
        #expect(try store.read { try $0.adoptionRows(model: Self.model, after: -1, limit: .max) }.count == rows)
        let one = try #require(try counts(store).tally.versions[1]?.windows[0])
        #expect(abs(one.count - 100_000) < 10)
        // 1.96 standard errors of 50,001 rows that stand for 2 each.
        #expect(abs(one.margin - 620) < 1)
        // All move to another version, also those that have no row; then back.
        _ = try store.write { try $0.recordAdoption(fleet(2, 0..<40_000), today: Self.today) }
        #expect(try counts(store).versions == [1: [20_002, 20_002, 20_002], 2: [40_000, 40_000, 40_000]])
        _ = try store.write { try $0.recordAdoption(fleet(1, 0..<40_000), today: Self.today) }
        #expect(try counts(store).versions[2] == nil)
    }

    @Test("A sample that has become small grows again, and counts by its old limit until then")
    func growth() throws {
        let store = try makeStore(.sqlite)
        _ = try store.write { store in
            _ = try store.recordAdoption(fleet(1), today: Self.today)
            _ = try store.recordAdoption(fleet(2, 0..<49_000, day: Self.today), today: Self.today)
        }
        #expect(try store.read { try $0.adoptionShifts(model: Self.model) } == [1: 1, 2: 0])
        let rows = try counts(store).versions[1]?[0]
        let tomorrow = Self.today + 1
        _ = try store.write { try $0.cleanAdoption(model: Self.model, today: tomorrow) }
        #expect(try counts(store, today: tomorrow).versions[1]?[2] == rows, "the sample is still the old one")
        // From the day after on, all installations of the upper half are seen as well.
        let later = tomorrow + 1
        _ = try store.write {
            try $0.recordAdoption(fleet(1, 49_000..<60_000, day: later), today: later)
        }
        let one = try #require(try counts(store, today: later).tally.versions[1])
        #expect(one.windows[0].count == 11_000 && one.windows[0].margin == 0)
        #expect(one.windows[2].margin > 0)
    }

    @Test("Samples of two servers are one", arguments: MetadataKind.allCases)
    func merged(kind: MetadataKind) throws {
        let (one, two) = (try makeStore(kind), try makeStore(kind))
        _ = try one.write { try $0.recordAdoption(fleet(1), today: Self.today) }
        _ = try two.write { try $0.recordAdoption(fleet(2, 0..<1000), today: Self.today) }
        // Seen by both: the newest day counts.
        _ = try two.write {
            try $0.recordAdoption(fleet(1, 1000..<1010, day: Self.today - 1), today: Self.today)
        }
        let (rows, shifts) = try one.read {
            (
                try $0.adoptionRows(model: Self.model, after: -1, limit: .max),
                try $0.adoptionShifts(model: Self.model)
            )
        }
        _ = try two.write {
            try $0.mergeAdoption(rows, shifts: shifts, model: Self.model, today: Self.today)
        }
        let found = try counts(two)
        #expect(abs((found.versions[1]?[0] ?? 0) + (found.versions[2]?[0] ?? 0) - 100_000) < 10)
    }
}

/// With smaller samples than a server has.
extension MetadataWriter {
    fileprivate func recordAdoption(_ sightings: [AdoptionSighting], today: Int64) throws -> Int {
        try recordAdoption(sightings, today: today, rowLimit: 65_536)
    }

    fileprivate func mergeAdoption(
        _ rows: [AdoptionRow], shifts: [Int: Int], model: Int64, today: Int64
    ) throws -> Int {
        try mergeAdoption(rows, shifts: shifts, model: model, today: today, rowLimit: 65_536)
    }

    fileprivate func cleanAdoption(model: Int64, today: Int64) throws -> Int {
        try cleanAdoption(model: model, today: today, rowLimit: 65_536)
    }
}

import HearthCatalog
import HearthStorage
import Testing

@testable import HearthStorageTestSupport

@Suite("Metadata: pins") struct MetadataPinTests {
    private func makeStore(_ kind: MetadataKind) throws -> any MetadataStore {
        let store = try kind.makeStore()
        try store.write { store in
            try store.insert(Records.model(7, "flowers"))
            for number in 1...2 { try store.insert(Records.version(number, model: 7)) }
            try store.insert(Records.installation("phone"))
            try store.insert(Records.installation("phone", project: "project-b"))
            try store.insert(experiment)
        }
        return store
    }

    private let experiment = ExperimentRecord(
        projectID: "project-a", name: "colours", body: "{}", isRunning: true, createdMicroseconds: 1, createdBy: "ann")

    private func pin(_ device: Pin.Device, _ target: Pin.Target, at microseconds: Int64 = 5) -> Pin {
        Pin(
            projectID: "project-a", device: device, target: target, createdMicroseconds: microseconds,
            createdBy: "ann@example.test")
    }

    private var pins: [Pin] {
        [
            pin(.installation("phone"), .version(1, model: 7), at: 8),
            pin(.tag("phone"), .version(2, model: 7), at: 7),
            pin(.installation("phone"), .variant("blue", experiment: "colours"), at: 6),
        ]
    }

    @Test(
        "Newest first, in a project and in all; a new pin replaces only that of the same device and subject",
        arguments: MetadataKind.allCases)
    func put(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        let before = store.servingRevision
        try store.write { store in for pin in pins { try store.put(pin) } }
        #expect(store.servingRevision > before)
        #expect(try store.read { try $0.pins(project: nil) } == pins)
        #expect(try store.read { try $0.pins(project: "project-a") } == pins)
        #expect(try store.read { try $0.pins(project: "project-b") } == [])
        let newer = pin(.installation("phone"), .version(2, model: 7), at: 9)
        try store.write { try $0.put(newer) }
        #expect(try store.read { try $0.pins(project: "project-a") } == [newer] + pins.dropFirst())
    }

    @Test(
        "A pin disappears by itself, with its installation, with its model, and with its experiment",
        arguments: MetadataKind.allCases)
    func delete(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        try store.write { store in for pin in pins { try store.put(pin) } }
        try store.write { try $0.delete(pins[1]) }
        #expect(try store.read { try $0.pins(project: nil) } == [pins[0], pins[2]])
        #expect(code { try store.write { try $0.delete(pins[1]) } } == .notFound)

        try store.write { try $0.put(pins[1]) }
        let revision = store.servingRevision
        try store.write { try $0.delete(Records.installation("phone", project: "project-b")) }
        #expect(store.servingRevision == revision, "no pin, no new snapshot")
        try store.write { try $0.delete(Records.installation("phone")) }
        #expect(try store.read { try $0.pins(project: nil) } == [pins[1]])
        #expect(store.servingRevision > revision)

        try store.write { store in for pin in pins { try store.put(pin) } }
        try store.write { try $0.delete(Records.model(7, "flowers")) }
        #expect(try store.read { try $0.pins(project: nil) } == [pins[2]])
        try store.write { try $0.delete(experiment) }
        #expect(try store.read { try $0.pins(project: nil) } == [])
    }

    @Test("A version, model or experiment that is not there cannot be pinned", arguments: MetadataKind.allCases)
    func missing(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        for target in [Pin.Target.version(3, model: 7), .version(1, model: 8), .variant("a", experiment: "none")] {
            #expect(code { try store.write { try $0.put(pin(.tag("qa"), target)) } } == .conflict)
        }
    }

    @Test("The counts of an experiment leave out pinned installations", arguments: MetadataKind.allCases)
    func counts(kind: MetadataKind) throws {
        let store = try makeStore(kind)
        try store.write { store in
            for installation in ["phone", "tablet"] {
                let unit = ExperimentUnit(
                    projectID: "project-a", experiment: "colours", installation: installation, variant: 1,
                    exposedMicroseconds: 1)
                try store.insert(unit)
                try store.add(MetricTotal(count: 1, sum: 2), metric: 0, to: unit)
            }
            // Neither a tag nor another project's installation of that name.
            try store.put(pin(.tag("tablet"), .version(1, model: 7)))
        }
        func installations() throws -> [Int] {
            try store.read { store in
                [
                    try store.unitCounts(experiment: "colours", project: "project-a")[1] ?? 0,
                    try store.variantTotals(experiment: "colours", project: "project-a").first?.installations ?? 0,
                    try store.units(experiment: "colours", project: "project-a", skipping: 0, limit: 9).count,
                ]
            }
        }
        #expect(try installations() == [2, 2, 2])
        try store.write { try $0.put(pins[0]) }
        #expect(try installations() == [1, 1, 1])
        try store.write { try $0.delete(pins[0]) }
        #expect(try installations() == [2, 2, 2])
    }
}

import Foundation
import HearthCatalog
import HearthDevicePlane
import HearthIdentity
import HearthStorage
import HearthStorageSQLite

/// The database of a server with one model for each repetition. Its projects differ, and so do the samples.
struct Store {
    let metadata: SQLiteMetadataStore
    let recorder: AdoptionRecorder
    let models: [Int64]
    private let rowLimit: Int
    var repeats: Int { models.count }

    init(_ folder: String, repeats: Int, rowLimit: Int) throws {
        self.rowLimit = rowLimit
        metadata = try SQLiteMetadataStore(path: folder + "/hearth.sqlite")
        recorder = AdoptionRecorder(
            metadata, InstallationHash(secret: try ServerSecret(path: folder + "/secret")), rowLimit: rowLimit)
        models = try metadata.write { store in
            try (0..<repeats).map { number in
                if let known = try store.model(displayName: "model", project: Self.project(number)) { return known.id }
                return try Self.make(number, store)
            }
        }
    }

    static func project(_ number: Int) -> String { "project-\(number)" }

    private static func make(_ number: Int, _ store: any MetadataWriter) throws -> Int64 {
        try store.insert(Project(id: project(number), number: Int64(number + 1), createdMicroseconds: 0))
        let model = Model(
            id: try store.nextModelID(), projectID: project(number), displayName: "model", tags: [],
            newestVersion: Fleet.versionCount, createdMicroseconds: 0, updatedMicroseconds: 0)
        try store.insert(model)
        for version in 1...Fleet.versionCount {
            try store.insert(
                ModelVersion(
                    modelID: model.id, number: version, sha256: hash(ofVersion: version), sizeBytes: 1,
                    sourceURI: "gs://bucket/x", createdMicroseconds: 0, createdBy: "x"))
        }
        return model.id
    }

    private static func hash(ofVersion version: Int) -> String {
        let digits = String(UInt64(version) &* 0x1234_5678_9ABC_DEF1, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits + String(repeating: "e", count: 48)
    }

    /// As devices name it.
    static func prefix(ofVersion version: Int) -> UInt64? {
        version == Fleet.noVersion ? nil : UInt64(bitPattern: Int64(version)) &* 0x1234_5678_9ABC_DEF1
    }

    func clean(today: Int64) throws {
        while let model = try metadata.read({ try $0.adoptionModelToClean(today: today) }) {
            _ = try metadata.write { try $0.cleanAdoption(model: model, today: today, rowLimit: rowLimit) }
        }
    }

    /// Adds the samples of another server with the same secret.
    func merge(_ other: Store, day: Int) throws {
        for (mine, its) in zip(models, other.models) {
            let (shifts, rows) = try other.metadata.read { store in
                (
                    try store.adoptionShifts(model: its),
                    try store.adoptionRows(model: its, after: -1, limit: .max)
                )
            }
            _ = try metadata.write {
                try $0.mergeAdoption(
                    rows, shifts: shifts, model: mine, today: SimulatorProgram.firstDay + Int64(day),
                    rowLimit: rowLimit)
            }
        }
        print("done")
    }
}

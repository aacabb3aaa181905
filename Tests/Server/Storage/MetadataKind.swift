import HearthCatalog
import HearthStorage
import HearthStorageSQLite
import HearthTestSupport

/// The implementations of `MetadataStore` that the conformance suite runs over.
enum MetadataKind: CaseIterable, Sendable {
    case memory
    case sqlite

    func makeEmptyStore() throws -> any MetadataStore {
        switch self {
        case .memory: return MemoryMetadataStore()
        case .sqlite:
            let folder = try TemporaryFolder()
            return HousedStore(base: try SQLiteMetadataStore(path: folder.path + "/hearth.sqlite"), folder: folder)
        }
    }

    /// A store with the projects `project-a` and `project-b`.
    func makeStore() throws -> any MetadataStore {
        let store = try makeEmptyStore()
        try store.write { store in
            try store.insert(Records.project("project-a", number: 1))
            try store.insert(Records.project("project-b", number: 2))
        }
        return store
    }
}

/// A store that keeps its temporary folder alive.
private struct HousedStore: MetadataStore {
    let base: any MetadataStore
    let folder: TemporaryFolder

    func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result { try base.read(body) }
    func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result { try base.write(body) }
}

/// Records with every field set to something that a mix-up of columns would show.
enum Records {
    static func project(_ id: String, number: Int64) -> Project {
        Project(
            id: id, number: number, apiKeyHash: "key of \(id)", appID: "app of \(id)", createdMicroseconds: 10 + number)
    }

    static func account(_ email: String, project: String = "project-a", clientID: String) -> ServiceAccount {
        ServiceAccount(
            email: email, projectID: project, clientID: clientID, keyID: "key of \(email)",
            publicKeyPEM: "PEM of \(email)", clientSecretHash: "secret of \(email)")
    }

    static func model(_ id: Int64, _ name: String, project: String = "project-a") -> Model {
        Model(
            id: id, projectID: project, displayName: name, tags: ["t1", "t2"], newestVersion: 3, releasedVersion: 2,
            revision: 4, createdMicroseconds: 5, updatedMicroseconds: 6)
    }

    static func version(_ number: Int, model: Int64, verdict: Verdict = .ok) -> ModelVersion {
        ModelVersion(
            modelID: model, number: number, sha256: "hash \(number)", sizeBytes: 1 << 40, sourceURI: "gs://bucket/x",
            verdict: verdict, contractJSON: "{}", createdMicroseconds: 7, createdBy: "ann@example.test")
    }

    static func object(_ name: String, project: String = "project-a", verdict: Verdict = .ok) -> UploadedObject {
        UploadedObject(
            projectID: project, bucket: "bucket", name: name, sha256: "hash of \(name)", sizeBytes: 8,
            verdict: verdict, contractJSON: nil, createdMicroseconds: 9)
    }

    static func entry(_ detail: String, project: String = "project-a") -> AuditEntry {
        AuditEntry(
            projectID: project, actor: "ann@example.test", action: "model.create", subject: "models/1",
            detail: detail, atMicroseconds: 11)
    }
}

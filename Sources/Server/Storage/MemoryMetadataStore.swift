import HearthCatalog
import Synchronization

/// `MetadataStore` in memory, for tests and throw-away servers. A write works on a copy that replaces the state when
/// it succeeds.
public final class MemoryMetadataStore: MetadataStore {
    private let tables = Mutex(Tables())
    /// Held for a whole write, `tables` only for the moment of a copy: reads never wait for a write.
    private let turn = Mutex<Void>(())

    public init() {}

    public func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result {
        try body(MemorySession(tables.withLock { $0 }))
    }

    public func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result {
        try turn.withLock { _ in
            let session = MemorySession(tables.withLock { $0 })
            let result = try body(session)
            tables.withLock { $0 = session.tables }
            return result
        }
    }
}

private struct Tables {
    struct ObjectKey: Hashable {
        var project, bucket, name: String
    }

    struct VersionKey: Hashable {
        var model: Int64
        var number: Int
    }

    var projects: [String: Project] = [:]
    var accounts: [String: ServiceAccount] = [:]
    var models: [Int64: Model] = [:]
    var versions: [VersionKey: ModelVersion] = [:]
    var objects: [ObjectKey: UploadedObject] = [:]
    var audit: [AuditEntry] = []
    var lastModelID: Int64 = 1_000_000
}

private final class MemorySession: MetadataWriter {
    fileprivate var tables: Tables

    init(_ tables: Tables) { self.tables = tables }

    func projects() -> [Project] { tables.projects.values.sorted { $0.id < $1.id } }
    func project(id: String) -> Project? { tables.projects[id] }
    func serviceAccount(email: String) -> ServiceAccount? { tables.accounts[email] }

    func serviceAccount(clientID: String) -> ServiceAccount? {
        tables.accounts.values.first { $0.clientID == clientID }
    }

    func model(id: Int64, project: String) -> Model? {
        tables.models[id].flatMap { $0.projectID == project ? $0 : nil }
    }

    func model(displayName: String, project: String) -> Model? {
        tables.models.values.first { $0.projectID == project && $0.displayName == displayName }
    }

    func models(project: String, after: Int64, limit: Int) -> [Model] {
        let found = tables.models.values.filter { $0.projectID == project && $0.id > after }
        return Array(found.sorted { $0.id < $1.id }.prefix(limit))
    }

    func version(_ number: Int, model: Int64) -> ModelVersion? {
        tables.versions[Tables.VersionKey(model: model, number: number)]
    }

    func versions(model: Int64) -> [ModelVersion] {
        tables.versions.values.filter { $0.modelID == model }.sorted { $0.number < $1.number }
    }

    func object(bucket: String, name: String, project: String) -> UploadedObject? {
        tables.objects[Tables.ObjectKey(project: project, bucket: bucket, name: name)]
    }

    func audit(project: String, limit: Int) -> [AuditEntry] {
        Array(tables.audit.reversed().lazy.filter { $0.projectID == project }.prefix(limit))
    }

    func insert(_ project: Project) throws {
        guard tables.projects[project.id] == nil,
            !tables.projects.values.contains(where: { $0.number == project.number })
        else { throw Self.conflict("project", project.id) }
        tables.projects[project.id] = project
    }

    func insert(_ account: ServiceAccount) throws {
        try checkOwner(project: account.projectID)
        guard tables.accounts[account.email] == nil, serviceAccount(clientID: account.clientID) == nil else {
            throw Self.conflict("service account", account.email)
        }
        tables.accounts[account.email] = account
    }

    func nextModelID() -> Int64 {
        tables.lastModelID += 1
        return tables.lastModelID
    }

    func insert(_ model: Model) throws {
        try checkOwner(project: model.projectID)
        guard tables.models[model.id] == nil,
            self.model(displayName: model.displayName, project: model.projectID) == nil
        else { throw Self.conflict("model", model.displayName) }
        tables.models[model.id] = model
    }

    func update(_ model: Model) throws {
        guard tables.models[model.id] != nil else { throw Self.missing("model", "\(model.id)") }
        if let other = self.model(displayName: model.displayName, project: model.projectID), other.id != model.id {
            throw Self.conflict("model", model.displayName)
        }
        tables.models[model.id] = model
    }

    func delete(_ model: Model) throws {
        guard tables.models.removeValue(forKey: model.id) != nil else { throw Self.missing("model", "\(model.id)") }
        tables.versions = tables.versions.filter { $0.key.model != model.id }
    }

    func insert(_ version: ModelVersion) throws {
        _ = try StoredSize.integer(version.sizeBytes)
        guard tables.models[version.modelID] != nil else { throw Self.orphan("model", "\(version.modelID)") }
        let key = Tables.VersionKey(model: version.modelID, number: version.number)
        guard tables.versions[key] == nil else { throw Self.conflict("version", "\(version.number)") }
        tables.versions[key] = version
    }

    func put(_ object: UploadedObject) throws {
        _ = try StoredSize.integer(object.sizeBytes)
        try checkOwner(project: object.projectID)
        let key = Tables.ObjectKey(project: object.projectID, bucket: object.bucket, name: object.name)
        tables.objects[key] = object
    }

    func append(_ entry: AuditEntry) { tables.audit.append(entry) }

    private func checkOwner(project: String) throws {
        guard tables.projects[project] != nil else { throw Self.orphan("project", project) }
    }

    private static func orphan(_ kind: String, _ name: String) -> StorageError {
        StorageError(.conflict, "There is no \(kind) \(name) that this could belong to")
    }

    private static func conflict(_ kind: String, _ name: String) -> StorageError {
        StorageError(.conflict, "There is a \(kind) \(name) already")
    }

    private static func missing(_ kind: String, _ name: String) -> StorageError {
        StorageError(.notFound, "There is no \(kind) \(name)")
    }
}

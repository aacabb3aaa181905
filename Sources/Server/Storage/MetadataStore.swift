public import HearthCatalog

/// What the server remembers besides bytes. Implementations: in memory, SQLite.
///
/// Reads see one consistent state; a write is one transaction, applied whole or not at all. Calls block and come
/// from the HTTP server's threads, any number at once.
public protocol MetadataStore: Sendable {
    func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result

    /// Writers take turns. When `body` throws, nothing of it remains.
    func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result
}

/// Look-ups inside one consistent state. Valid only during the closure it was lent to.
public protocol MetadataReader {
    func projects() throws -> [Project]
    func project(id: String) throws -> Project?
    func serviceAccount(email: String) throws -> ServiceAccount?
    func serviceAccount(clientID: String) throws -> ServiceAccount?

    func model(id: Int64, project: String) throws -> Model?
    func model(displayName: String, project: String) throws -> Model?
    /// Models with an id above `after`, in order of id, at most `limit`.
    func models(project: String, after: Int64, limit: Int) throws -> [Model]
    func version(_ number: Int, model: Int64) throws -> ModelVersion?
    func versions(model: Int64) throws -> [ModelVersion]
    func object(bucket: String, name: String, project: String) throws -> UploadedObject?

    /// Newest first.
    func audit(project: String, limit: Int) throws -> [AuditEntry]
}

/// Look-ups and changes inside one transaction.
public protocol MetadataWriter: MetadataReader {
    /// - Throws: `StorageError.conflict` when the id or the number is taken.
    func insert(_ project: Project) throws
    /// - Throws: `StorageError.conflict` when the email or the client id is taken, or there is no such project.
    func insert(_ account: ServiceAccount) throws

    /// An id that no model ever had, also not a deleted one.
    func nextModelID() throws -> Int64
    /// - Throws: `StorageError.conflict` when the id or the project's display name is taken, or there is no such project.
    func insert(_ model: Model) throws
    /// - Throws: `StorageError.notFound` when there is no such model, `.conflict` when the new display name is taken.
    func update(_ model: Model) throws
    /// Removes the model and its versions.
    ///
    /// - Throws: `StorageError.notFound` when there is no such model.
    func delete(_ model: Model) throws
    /// - Throws: `StorageError.conflict` when the model has that version or is not there.
    func insert(_ version: ModelVersion) throws
    /// Replaces an object of the same name.
    ///
    /// - Throws: `StorageError.conflict` when there is no such project.
    func put(_ object: UploadedObject) throws
    func append(_ entry: AuditEntry) throws
}

/// The storage failed; the caller's request was fine.
public struct StorageError: Error, Sendable, CustomStringConvertible {
    public enum Code: Sendable {
        /// A unique value is taken.
        case conflict
        case notFound
        case noSpace
        case tooLarge
        /// The store holds something that cannot be: wrong schema, damaged file.
        case corrupt
        case io
    }

    public let code: Code
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}

import HearthStorageSQLite
import HearthWire

/// Whether a server may start with a data folder, and as which kind of start. Takes facts, returns a decision.
///
/// A first start makes the database before anything else, records in it what it made, and until then gives credentials files
/// names with the id of the database's folder. So an interrupted first start leaves a database without a project, and nothing
/// of value. Any other files without their database are the rest of a loss, and are not touched.
enum StartDecision: Equatable {
    /// The folder has its database and everything that belongs to it.
    case serve
    /// The folder is empty, or has only what an interrupted first start leaves.
    case firstStart
    case refuse(StartRefusal)

    /// - Parameter projectID: the project that the folder must have; nil for any.
    init(_ facts: DataFolderContents, projectID: String? = nil) {
        if let obstacle = Self.obstacle(in: facts) {
            self = .refuse(obstacle)
            return
        }
        switch facts.database {
        case .absent: self = Self.withoutRecords(facts, .absent)
        case .empty: self = Self.withoutRecords(facts, .empty)
        case .blank: self = Self.withoutRecords(facts, .blank)
        case .hearth(let database) where database.projects.isEmpty: self = Self.unfinished(facts, database)
        case .hearth(let database):
            let other = projectID.flatMap { Self.otherProject(database, wanted: $0) }
            self = other.map(Self.refuse) ?? Self.used(facts, database)
        case .notAFile(let kind): self = .refuse(.databaseIsNoFile(kind))
        case .unreadable(let reason): self = .refuse(.databaseIsUnreadable(reason))
        case .damaged(let reason): self = .refuse(.databaseIsDamaged(reason))
        case .foreign: self = .refuse(.databaseIsForeign)
        case .newer(let schema): self = .refuse(.databaseIsNewer(schema: schema))
        }
    }

    /// A refusal that does not depend on the database.
    private static func obstacle(in facts: DataFolderContents) -> StartRefusal? {
        switch facts.blobs.place {
        case .brokenLink: .blobsLeadNowhere
        case .somethingElse: .blobsAreNoFolder
        case .absent, .folder: nil
        }
    }

    /// There is no database, or one that SQLite made and no server has written to. Then the folder must have no other files.
    private static func withoutRecords(_ facts: DataFolderContents, _ state: StartRefusal.MissingDatabase)
        -> StartDecision
    {
        var left = OrphanedData(
            blobEntries: facts.blobs.entryCount, keys: facts.keys.count, credentials: facts.credentials)
        if facts.blobs.folderID != nil { left.blobEntries += 1 }
        switch state {
        case .absent: left.logs = facts.databaseLogs
        // The log may have the only copy of committed changes. A journal of an empty database has nothing.
        case .empty: left.logs = facts.databaseLogs.filter { $0.hasSuffix("-wal") }
        case .blank, .unused: break
        }
        guard left.isEmpty else { return .refuse(.databaseIsMissing(state, left)) }
        if let entry = facts.foreignEntry { return .refuse(.foreignFolder(entry)) }
        return .firstStart
    }

    /// The database belongs to a server, and has no project.
    private static func unfinished(_ facts: DataFolderContents, _ database: DatabaseStatus.Hearth) -> StartDecision {
        if let refusal = otherFolder(facts, database) { return .refuse(refusal) }
        let foreign = facts.credentials.filter { name in
            database.folderID.map { !PendingCredentials.isPending(name, folderID: $0) } ?? true
        }
        let left = OrphanedData(blobEntries: facts.blobs.entryCount, credentials: foreign)
        return left.isEmpty ? .firstStart : .refuse(.databaseIsMissing(.unused, left))
    }

    private static func used(_ facts: DataFolderContents, _ database: DatabaseStatus.Hearth) -> StartDecision {
        if let refusal = otherFolder(facts, database) { return .refuse(refusal) }
        // Both have the folder's id.
        if database.folderID != nil, facts.blobs.folderID != nil { return .serve }
        guard database.knownFiles.isDisjoint(with: facts.blobs.files) else { return .serve }
        guard facts.blobs.files.isEmpty else { return .refuse(.databaseIsOfOtherFiles(facts.blobs.files.count)) }
        guard database.neededFiles.isEmpty else {
            return .refuse(.modelFilesAreMissing(database.neededFiles.count, folderID: database.folderID))
        }
        return .serve
    }

    /// A project's id never changes, so an id that never existed here is a mistake, in the id or in the folder.
    ///
    /// The id of a deleted project stops no start, because the settings may still name it.
    private static func otherProject(_ database: DatabaseStatus.Hearth, wanted: String) -> StartRefusal? {
        guard let oldest = database.projects.first, !database.projects.contains(wanted),
            !database.formerProjects.contains(wanted)
        else { return nil }
        return .folderIsOfAnotherProject(oldest, wanted: wanted)
    }

    /// A database of an older Hearth has no folder id to compare.
    private static func otherFolder(_ facts: DataFolderContents, _ database: DatabaseStatus.Hearth) -> StartRefusal? {
        guard let found = facts.blobs.folderID, let id = database.folderID, found != id else { return nil }
        return .databaseIsOfAnotherFolder(database: id, blobs: found)
    }
}

/// The files beside a database that does not know them, counted.
struct OrphanedData: Equatable {
    var blobEntries = 0
    var keys = 0
    var credentials: [String] = []
    var logs: [String] = []

    var isEmpty: Bool { blobEntries == 0 && keys == 0 && credentials.isEmpty && logs.isEmpty }

    /// As when the operator put a key there before the first start.
    var isKeysOnly: Bool { keys > 0 && blobEntries == 0 && credentials.isEmpty && logs.isEmpty }

    /// A description, such as `34 files in blobs and a file in keys`.
    var text: String {
        var parts: [String] = []
        if blobEntries > 0 { parts.append(Quantity.text(blobEntries, "file") + " in blobs") }
        if keys > 0 { parts.append(Quantity.text(keys, "file") + " in keys") }
        if !credentials.isEmpty { parts.append(Quantity.text(credentials.count, "file") + " in credentials") }
        parts += logs
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "nothing" }
        return parts.dropLast().joined(separator: ", ") + " and " + last
    }
}

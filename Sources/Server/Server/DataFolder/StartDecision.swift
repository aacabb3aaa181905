import HearthStorageSQLite
import HearthWire

/// Whether a server may start over a data folder, and as what: facts in, decision out.
///
/// A first start makes the database before all else, records in it what it made, and names credentials files by the
/// database's folder until then. So a first start that was cut short leaves a database without a project, and nothing that
/// somebody could miss; whatever else lies there without its database was lost by somebody, and is not touched.
enum StartDecision: Equatable {
    /// The folder has its database and what belongs to it.
    case serve
    /// The folder is empty, or has what a first start leaves that was cut short.
    case firstStart
    case refuse(StartRefusal)

    /// - Parameter projectID: the project that the folder is to have; nil for any.
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

    /// What stands in the way whatever the database says.
    private static func obstacle(in facts: DataFolderContents) -> StartRefusal? {
        switch facts.blobs.place {
        case .brokenLink: .blobsLeadNowhere
        case .somethingElse: .blobsAreNoFolder
        case .absent, .folder: nil
        }
    }

    /// No database, or one that SQLite has made and no server has written to: then nothing else is there yet.
    private static func withoutRecords(_ facts: DataFolderContents, _ state: StartRefusal.MissingDatabase)
        -> StartDecision
    {
        var left = OrphanedData(
            blobEntries: facts.blobs.entryCount, keys: facts.keys.count, credentials: facts.credentials)
        if facts.blobs.folderID != nil { left.blobEntries += 1 }
        switch state {
        case .absent: left.logs = facts.databaseLogs
        // Its log may be all that is left of what was committed. A journal has nothing of a database that was empty.
        case .empty: left.logs = facts.databaseLogs.filter { $0.hasSuffix("-wal") }
        case .blank, .unused: break
        }
        guard left.isEmpty else { return .refuse(.databaseIsMissing(state, left)) }
        if let entry = facts.foreignEntry { return .refuse(.foreignFolder(entry)) }
        return .firstStart
    }

    /// The database is a server's, and no project is recorded in it.
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
        // The two know each other.
        if database.folderID != nil, facts.blobs.folderID != nil { return .serve }
        guard database.knownFiles.isDisjoint(with: facts.blobs.files) else { return .serve }
        guard facts.blobs.files.isEmpty else { return .refuse(.databaseIsOfOtherFiles(facts.blobs.files.count)) }
        guard database.neededFiles.isEmpty else {
            return .refuse(.modelFilesAreMissing(database.neededFiles.count, folderID: database.folderID))
        }
        return .serve
    }

    /// A project's id never changes: another one than was ever made here is a slip, in the id or in the folder.
    ///
    /// A project that was deleted since stops no server whose settings still name it.
    private static func otherProject(_ database: DatabaseStatus.Hearth, wanted: String) -> StartRefusal? {
        guard let oldest = database.projects.first, !database.projects.contains(wanted),
            !database.formerProjects.contains(wanted)
        else { return nil }
        return .folderIsOfAnotherProject(oldest, wanted: wanted)
    }

    /// A database of an older Hearth has no name to compare.
    private static func otherFolder(_ facts: DataFolderContents, _ database: DatabaseStatus.Hearth) -> StartRefusal? {
        guard let found = facts.blobs.folderID, let id = database.folderID, found != id else { return nil }
        return .databaseIsOfAnotherFolder(database: id, blobs: found)
    }
}

/// What lies beside a database that knows nothing of it, counted.
struct OrphanedData: Equatable {
    var blobEntries = 0
    var keys = 0
    var credentials: [String] = []
    var logs: [String] = []

    var isEmpty: Bool { blobEntries == 0 && keys == 0 && credentials.isEmpty && logs.isEmpty }

    /// As where somebody put a key there before the first start.
    var isKeysOnly: Bool { keys > 0 && blobEntries == 0 && credentials.isEmpty && logs.isEmpty }

    /// In words, such as `34 model files and a key`.
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

import Glibc
import HearthStorage
import HearthStorageSQL

/// Inspects a database of any version or program, without changing it or creating a file beside it.
package struct DatabaseInspection {
    private let path: String

    package init(path: String) { self.path = path }

    /// Blocks. Do not call it while this process has other connections to the file, because closing a file releases
    /// SQLite's locks.
    package func status() -> DatabaseStatus {
        var info = stat()
        guard lstat(path, &info) == 0 else {
            return errno == ENOENT ? .absent : .unreadable(String(cString: strerror(errno)))
        }
        switch info.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: return .notAFile("a folder")
        case S_IFLNK: return .notAFile("a link")
        default: return .notAFile("no regular file")
        }
        guard info.st_size > 0 else { return .empty }
        guard let head = head() else { return .unreadable(String(cString: strerror(errno))) }
        guard head == Self.magic else { return .damaged("it does not begin as a database does") }
        do throws(StorageError) {
            return try content()
        } catch {
            return error.code == .corrupt ? .damaged(error.message) : .unreadable(error.message)
        }
    }

    private static let magic = Array("SQLite format 3\0".utf8)

    private func head() -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.magic.count)
        let count = read(descriptor, &bytes, bytes.count)
        return count < 0 ? nil : Array(bytes[..<count])
    }

    private func content() throws(StorageError) -> DatabaseStatus {
        guard size(path + "-wal") > 0 else { return try status(in: SQLiteConnection(immutable: path)) }
        if access(path + "-shm", F_OK) == 0 {
            do throws(StorageError) {
                return try status(in: SQLiteConnection(readOnlyWithLog: path))
            } catch {
                // The index may be older or newer than the log.
                guard error.code != .corrupt else { throw error }
            }
        }
        return try status(in: SQLiteConnection(untouchedWithLog: path))
    }

    private func size(_ path: String) -> Int {
        var info = stat()
        return lstat(path, &info) == 0 ? Int(info.st_size) : 0
    }

    private func status(in connection: SQLiteConnection) throws(StorageError) -> DatabaseStatus {
        let schema = Int(try connection.integer("PRAGMA user_version") ?? 0)
        let tables = Set(
            try connection.texts("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"))
        if tables.isEmpty { return schema == 0 ? .blank : .foreign }
        guard schema > 0, tables.isSuperset(of: ["project", "model", "version", "object", "audit"]) else {
            return .foreign
        }
        guard schema <= SQLiteSchema.steps.count else { return .newer(schema: schema) }
        let projects = try connection.texts("SELECT id FROM project ORDER BY created_us, number")
        return .hearth(
            DatabaseStatus.Hearth(
                folderID: tables.contains("folder") ? try SQLiteSchema.folderID(connection) : nil,
                projects: projects,
                formerProjects: try formerProjects(connection),
                neededFiles: try neededFiles(connection, tables.contains("validation")),
                knownFiles: try knownFiles(connection, tables)))
    }

    /// The audit log keeps entries about deleted projects.
    private func formerProjects(_ connection: SQLiteConnection) throws(StorageError) -> Set<String> {
        let sql = """
            SELECT former FROM (SELECT DISTINCT project AS former FROM audit) WHERE former NOT IN (SELECT id FROM project)
            AND EXISTS (SELECT 1 FROM audit WHERE project = former AND action = 'project.create')
            """
        return Set(try connection.texts(sql))
    }

    /// Malformed files may exist: while another validation may still change the verdict, and while devices get them. So
    /// may files whose records were deleted just before the server ended; the audit log has their validations.
    private func knownFiles(_ connection: SQLiteConnection, _ tables: Set<String>) throws(StorageError) -> Set<String> {
        var sql = "SELECT sha256 FROM version UNION SELECT sha256 FROM object"
        if tables.contains("validation") { sql += " UNION SELECT sha256 FROM validation" }
        if !tables.contains("folder") {
            sql += " UNION SELECT substr(subject, 7) FROM audit WHERE action = 'file.check' AND subject LIKE 'files/%'"
        }
        return Set(try connection.texts(sql))
    }

    /// The first schema stored the verdict beside each hash.
    private func neededFiles(
        _ connection: SQLiteConnection, _ hasValidations: Bool
    ) throws(StorageError) -> Set<String> {
        let sql =
            hasValidations
            ? """
            SELECT sha256 FROM version UNION SELECT sha256 FROM object
            EXCEPT SELECT sha256 FROM validation WHERE verdict = 'malformed'
            """
            : """
            SELECT sha256 FROM version WHERE verdict <> 'malformed'
            UNION SELECT sha256 FROM object WHERE verdict <> 'malformed'
            """
        return Set(try connection.texts(sql))
    }
}

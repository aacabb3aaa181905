import HearthStorage
import HearthStorageSQLite
import HearthWire

/// Why a server does not start with a data folder. Nothing was changed there.
enum StartRefusal: Equatable {
    /// What stands in place of a usable database.
    enum MissingDatabase: Equatable {
        case absent
        case empty
        /// A database without a table.
        case blank
        /// A database without a project: no server has used it yet.
        case unused
    }

    case databaseIsMissing(MissingDatabase, OrphanedData)
    case databaseIsNoFile(String)
    case databaseIsUnreadable(String)
    case databaseIsDamaged(String)
    case databaseIsForeign
    case databaseIsNewer(schema: Int)
    case databaseIsOfAnotherFolder(database: String, blobs: String)
    case databaseIsOfOtherFiles(Int)
    /// The id of the folder is nil if an older Hearth wrote the database.
    case modelFilesAreMissing(Int, folderID: String?)
    case blobsLeadNowhere
    case blobsAreNoFolder
    case foreignFolder(String)
    case folderIsOfAnotherProject(String, wanted: String)

    /// One line: what was found, and what to do.
    func text(_ folder: DataLayout) -> String {
        let database = "The database \(folder.database)"
        return switch self {
        case .databaseIsMissing(let state, let left): missing(state, left, folder)
        case .databaseIsNoFile(let kind):
            """
            \(database) is \(kind), not a file. \(Self.untouched) Put the file itself there; to keep it elsewhere, move \
            the whole data folder and give its path with --data.
            """
        case .databaseIsUnreadable(let reason):
            """
            \(database) cannot be read (\(reason)). \(Self.untouched) Start the server as the user who owns the file, or \
            give it to that user (chown, chmod u+rw).
            """
        case .databaseIsDamaged(let reason):
            """
            \(database) is damaged (\(reason)). \(Self.untouched) Restore a backup into a new folder, or give another \
            --data folder.
            """
        case .databaseIsForeign:
            """
            \(database) belongs to another program. \(Self.untouched) Put the server's own hearth.sqlite there, restore a \
            backup into a new folder, or give another --data folder.
            """
        case .databaseIsNewer(let schema): newer(database, schema)
        case .databaseIsOfAnotherFolder(let id, let found): ofAnotherFolder(database, id, found, folder)
        case .databaseIsOfOtherFiles(let count):
            """
            \(database) names none of the \(count) model files in \(folder.blobFolder): it belongs to another data folder. \
            \(Self.untouched) Put the database and the blobs of one folder together, or restore a backup into a new folder. \
            If you do not need these files, move them away.
            """
        case .modelFilesAreMissing(let count, let id): filesMissing(count, id, folder)
        case .blobsLeadNowhere:
            """
            The folder of the model files, \(folder.blobFolder), is a link to nothing. \(Self.untouched) Mount the \
            disk that it points to, or correct the link.
            """
        case .blobsAreNoFolder:
            """
            \(folder.blobFolder) is not a folder, but model files are stored there. \(Self.untouched) Move it away, and put the folder \
            of the model files there.
            """
        case .foreignFolder(let entry):
            """
            The folder \(folder.path) is not the data folder of a Hearth server: it has no database, but other files, such as \
            '\(entry.printable)'. Give an empty folder, or one that does not exist.
            """
        case .folderIsOfAnotherProject(let project, let wanted):
            """
            The data folder \(folder.path) has the project '\(project)', not '\(wanted)'. \(Self.untouched) Leave \
            --project out, or give another --data folder.
            """
        }
    }

    private static let untouched = "Nothing was changed."

    private func missing(_ state: MissingDatabase, _ left: OrphanedData, _ folder: DataLayout) -> String {
        let found =
            switch state {
            case .absent: "has no database (\(folder.database) does not exist)"
            case .empty: "has an empty database (\(folder.database) has 0 bytes)"
            case .blank: "has an empty database (\(folder.database) has no tables)"
            case .unused: "has a database without a project (\(folder.database))"
            }
        return """
            The data folder \(folder.path) \(found), but \(left.text). \(Self.untouched) Put its own hearth.sqlite back, \
            with hearth.sqlite-wal if there is one; or restore a backup into a new folder. To start again without them, \
            first move them away.\(left.isKeysOnly ? Self.ownSecret : "")
            """
    }

    private func newer(_ database: String, _ schema: Int) -> String {
        """
        \(database) was written by a newer Hearth: it has schema \(schema), and this one (\(HearthVersion.text)) supports \
        up to \(SQLiteSnapshot.schema). \(Self.untouched) Install that version or a newer one, or restore the backup from \
        before the upgrade into a new folder.
        """
    }

    private func ofAnotherFolder(_ database: String, _ id: String, _ found: String, _ folder: DataLayout) -> String {
        """
        \(database) belongs to the data folder '\(id)', and the model files beside it belong to '\(found.printable)' \
        (\(folder.folderID)). \(Self.untouched) Put the database and the blobs of one folder together, or restore a \
        backup into a new folder. If they do belong together, write \(id) into \(folder.folderID).
        """
    }

    private static let ownSecret =
        " A first start makes its own signing secret. To use another one, stop the server after that start and replace the secret."

    private func filesMissing(_ count: Int, _ id: String?, _ folder: DataLayout) -> String {
        let goOn =
            id.map { "To continue without them, write \($0) into a file \(folder.folderID)." }
            ?? "To continue without them, put any one of them there."
        return """
            None of the \(Quantity.text(count, "model file")) that \(folder.database) names is in \(folder.blobFolder). \
            \(Self.untouched) Put the folder back, mount its disk, or restore a backup into a new folder. \(goOn)
            """
    }
}

/// Why a server does not start, or cannot reopen its log file: what is wrong and what to do, in one line.
package struct ServerStartError: Error, CustomStringConvertible {
    package let message: String
    /// The error that caused it, if there is one.
    package let cause: (any Error)?

    package init(_ message: String, cause: (any Error)? = nil) {
        self.message = message
        self.cause = cause
    }

    package var description: String { message }
}

import HearthCrypto
import HearthFiles
import HearthStorage
import HearthStorageSQLite

/// The result of an inspection.
struct DataFolderContents: Equatable {
    /// The folder of the model files.
    struct Blobs: Equatable {
        enum Place: Equatable {
            case absent
            case folder
            /// A link to nothing, as when a disk is not mounted.
            case brokenLink
            /// Neither a folder nor a link to one.
            case somethingElse
        }

        var place = Place.absent
        /// The id of the data folder, from its file; nil without the file.
        var folderID: String?
        /// The number of all other entries.
        var entryCount = 0
        /// The hashes of the model files, including those in the trash.
        var files: Set<String> = []
    }

    /// The database's file, by its path.
    var database = DatabaseStatus.absent
    /// Names of the files that SQLite keeps beside the database, without empty ones.
    var databaseLogs: [String] = []
    var blobs = Blobs()
    /// Names of the files in the folders of keys and credentials.
    var keys: [String] = []
    var credentials: [String] = []
    /// An entry of the folder that a server does not make.
    var foreignEntry: String?
}

import HearthStorageSQLite

/// What a look at a data folder found, before anything in it is changed.
struct FolderFacts: Equatable {
    /// The folder of the model files.
    struct Blobs: Equatable {
        enum Place: Equatable {
            case absent
            case folder
            /// A link that leads nowhere, as when a disk is not mounted.
            case brokenLink
            /// Neither a folder nor a link to one.
            case somethingElse
        }

        var place = Place.absent
        /// What the file says that names the data folder; nil where there is none.
        var folderID: String?
        /// How many other entries there are, of whatever name.
        var entryCount = 0
        /// The hashes of the model files, set-aside ones too.
        var files: Set<String> = []
    }

    /// The database's file and its path.
    var database = DatabaseFinding.absent
    /// Names of the files beside the database that SQLite keeps there, if they are not empty.
    var databaseLogs: [String] = []
    var blobs = Blobs()
    /// Names of what lies in the folders of keys and credentials.
    var keys: [String] = []
    var credentials: [String] = []
    /// An entry of the folder that is none of a server's.
    var foreignEntry: String?
}

/// What lies where a server's database should be.
public enum DatabaseFinding: Sendable, Equatable {
    case absent
    /// A folder, a link, a pipe: in words, with its article.
    case notAFile(String)
    /// Why not.
    case unreadable(String)
    /// A file without a byte: what SQLite begins with, and what a crash of the file system may leave.
    case empty
    /// A database without any table.
    case blank
    /// A database of another program.
    case foreign
    /// No database, or one whose structure is broken; in which way.
    case damaged(String)
    case newer(schema: Int)
    case hearth(Hearth)

    /// What the database of a Hearth server says.
    public struct Hearth: Sendable, Equatable {
        /// Nil where an older Hearth wrote it.
        public var folderID: String?
        /// The ids of its projects, the oldest first.
        public var projects: [String]
        /// The ids of projects that were deleted.
        public var formerProjects: Set<String>
        /// The hashes of the model files that are certain to be beside it: those that its records name, without malformed ones.
        public var neededFiles: Set<String>
        /// The hashes of all model files that it has ever known, as far as it still does, whatever was found in them. Any of
        /// them beside it shows that the two belong together.
        public var knownFiles: Set<String>

        /// - Parameter knownFiles: beside those that are needed.
        public init(
            folderID: String?, projects: [String], formerProjects: Set<String> = [], neededFiles: Set<String> = [],
            knownFiles: Set<String> = []
        ) {
            self.folderID = folderID
            self.projects = projects
            self.formerProjects = formerProjects
            self.neededFiles = neededFiles
            self.knownFiles = knownFiles.union(neededFiles)
        }
    }
}

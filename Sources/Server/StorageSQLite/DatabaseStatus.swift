/// What exists in the place of a server's database.
package enum DatabaseStatus: Sendable, Equatable {
    case absent
    /// A folder, a link or a pipe, in words with the article.
    case notAFile(String)
    /// With the reason.
    case unreadable(String)
    /// A file without a byte: what SQLite begins with, and what a crash of the file system may leave.
    case empty
    /// A database without any table.
    case blank
    /// A database of another program.
    case foreign
    /// Not a database, or one whose structure is broken, with the reason.
    case damaged(String)
    case newer(schema: Int)
    case hearth(Hearth)

    /// The content of a Hearth server's database.
    package struct Hearth: Sendable, Equatable {
        /// Nil if an older Hearth wrote it.
        package var folderID: String?
        /// The ids of its projects, the oldest first.
        package var projects: [String]
        /// The ids of projects that were deleted.
        package var formerProjects: Set<String>
        /// The hashes of the model files that must exist beside the database: those in its records, without malformed
        /// ones.
        package var neededFiles: Set<String>
        /// The hashes of all model files that the database mentions, whatever their verdicts. Any such file beside it
        /// shows that database and files belong together.
        package var knownFiles: Set<String>

        /// - Parameter knownFiles: in addition to `neededFiles`.
        package init(
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

import HearthCrypto
import HearthFiles
import HearthStorage
import HearthStorageSQLite

/// Looks at every row and every model file of a data folder, also while a server uses it, or of a backup. Nothing is changed.
package struct DataVerifier {
    /// What was looked at, and what is wrong.
    package struct Report: Sendable, Codable, Equatable {
        package var data: String
        package var counts: BackupManifest.Counts
        /// Model files that were read and compared with their hashes.
        package var blobs: Int
        package var blobBytes: UInt64
        /// Model files that were set aside, which the server puts back when something names them again.
        package var setAside: Int
        package var problems: [DataProblem]

        package var isClean: Bool { problems.isEmpty }
    }

    private let layout: DataLayout
    /// A second one is enough for a server that begins, and stays.
    private static let attempts = 5

    package init(data: String) { layout = DataLayout(data) }

    /// Blocks until all is read.
    ///
    /// - Throws: `BackupError` `.notFound` when there is no data folder.
    package func run() throws -> Report {
        guard try DiskFiles().size(layout.database) != nil else {
            throw BackupError(.notFound, "\(layout.path) is not a data folder of a Hearth server: it has no database.")
        }
        for _ in 1...Self.attempts {
            if let report = try verifyOnce() { return report }
        }
        throw BackupError(
            .busy,
            """
            The database in \(layout.path) cannot be looked at without changing it: servers begin and end over it all the \
            time, or its log came without its index (hearth.sqlite-shm), as in a copy by hand. Verify it when they have \
            settled; start and stop a server over a copy by hand first.
            """)
    }

    /// Nil when a server began or ended over the folder meanwhile, or the database cannot be looked at without making a file.
    private func verifyOnce() throws -> Report? {
        var report = Report(data: layout.path, counts: .init(), blobs: 0, blobBytes: 0, setAside: 0, problems: [])
        report.problems += AccessCheck(layout: layout).problems()
        report.problems += try ManifestCheck(layout: layout).problems()
        do {
            guard let database = try InspectedDatabase(layout.database) else { return nil }
            do {
                try check(database.snapshot, &report)
            } catch let error as StorageError where error.code == .corrupt {
                report.problems.append(Self.damaged(error.message))
            }
            return database.isConsistent ? report : nil
        } catch let error as StorageError where error.code == .corrupt {
            report.problems.append(Self.damaged(error.message))
            return report
        } catch let error as StorageError where error.code == .newer {
            report.problems.append(
                DataProblem(
                    "database", DataLayout.databaseName, error.message,
                    remedy: "Look at it with the Hearth that wrote it, or a newer one."))
            return report
        }
    }

    private func check(_ database: SQLiteSnapshot, _ report: inout Report) throws {
        report.problems += try database.damage().map(Self.damaged)
        let records = try database.read { try RecordCheck($0) }
        report.problems += try folderProblems(database.folderID())
        report.counts = records.counts
        report.problems += records.problems
        let kept = records.optionalBlobs.filter { PathKind(layout.blob($0.key)) != .absent }
        try checkBlobs(records.requiredBlobs.merging(kept) { needed, _ in needed }, database, &report)
    }

    /// Whether the model files are those of the database. A backup does not say so, and needs not.
    private func folderProblems(_ id: String) throws -> [DataProblem] {
        guard let found = try layout.recordedFolderID(), found != id else { return [] }
        return [
            DataProblem(
                "folder", layout.folderID, "the model files belong to another data folder than the database",
                remedy: "Put the database and the model files of one folder together, or restore a backup.")
        ]
    }

    private func checkBlobs(
        _ needed: [SHA256Digest: UInt64], _ database: SQLiteSnapshot, _ report: inout Report
    ) throws {
        let trashedFiles = (try? ContentStore.trashedFiles(in: layout.blobFolder)) ?? []
        report.setAside = trashedFiles.count
        for (digest, size) in needed.sorted(by: { $0.key.hex < $1.key.hex }) {
            guard let text = try wrong(digest, size) else {
                report.blobs += 1
                report.blobBytes += size
                continue
            }
            // A running server may have removed the file since the records were read, with the last record that names it.
            let now = try database.read { try RecordCheck($0) }
            guard now.requiredBlobs[digest] ?? now.optionalBlobs[digest] != nil else { continue }
            let isAside = trashedFiles.contains { $0.digest == digest }
            report.problems.append(
                DataProblem(
                    "file", layout.blob(digest), text,
                    remedy: isAside
                        ? "It was set aside: start the server anew, which puts it back."
                        : "Copy the file \(digest.hex) from a backup's blobs folder, or upload the model again."))
        }
    }

    /// What is wrong with a model file; nil when it is whole.
    private func wrong(_ digest: SHA256Digest, _ size: UInt64) throws -> String? {
        do throws(FileError) {
            switch PathKind(layout.blob(digest)) {
            case .file: break
            case .absent: return "it is not there"
            default: return "it is not a regular file"
            }
            guard let found = try DiskFiles().size(layout.blob(digest)) else { return "it is not there" }
            guard found == size else { return "it has \(found) bytes, not \(size)" }
            return try FileDigest.sha256(layout.blob(digest)) == digest ? nil : "its bytes are not those of its name"
        } catch {
            return error.code == .notFound ? "it is not there" : error.message
        }
    }

    private static func damaged(_ text: String) -> DataProblem {
        DataProblem(
            "database", DataLayout.databaseName, text, remedy: "Stop the server and restore a backup into a new folder."
        )
    }
}

/// Something in a data folder that should not be.
package struct DataProblem: Sendable, Hashable, Codable {
    /// `database`, `record`, `file`, `secret` or `access`.
    package var kind: String
    /// What it is about: a file, or a record as admin calls name it.
    package var subject: String
    /// What is wrong, in one line.
    package var text: String
    /// What to do, in one line.
    package var remedy: String

    init(_ kind: String, _ subject: String, _ text: String, remedy: String) {
        self.kind = kind
        self.subject = subject
        self.text = text
        self.remedy = remedy
    }
}

/// A database that is looked at where it lies, also while a server uses it. No file changes and none appears.
struct InspectedDatabase {
    let snapshot: SQLiteSnapshot
    private let path: String
    /// Of the file, where nobody used it; nil where somebody may.
    private let stampWhenIdle: FileStamp?

    /// Nil where a server begins to use the file or ends at this moment, and where the log lies there without its index, which
    /// could not be read without making one.
    init?(_ path: String) throws(StorageError) {
        self.path = path
        let hasLog = FileStamp(path: Self.log(path)) != nil
        stampWhenIdle = hasLog ? nil : FileStamp(path: path)
        guard !hasLog || FileStamp(path: path + "-shm") != nil else { return nil }
        do throws(StorageError) {
            snapshot = try hasLog ? SQLiteSnapshot(logged: path) : SQLiteSnapshot(copy: path)
        } catch {
            guard hasLog == (FileStamp(path: Self.log(path)) != nil) else { return nil }
            throw error
        }
    }

    /// False when a server began to use a file that nobody used: what was read may be of several states. Whoever uses it has a log
    /// beside it, and whoever has done with it has changed the file, if anything.
    var isConsistent: Bool {
        guard let stampWhenIdle else { return true }
        return FileStamp(path: Self.log(path)) == nil && FileStamp(path: path) == stampWhenIdle
    }

    private static func log(_ path: String) -> String { path + "-wal" }
}

/// Whether a backup's small files and database are those that its manifest names, byte for byte. A data folder has no manifest,
/// and nothing to find; model files are compared with their hashes in both.
struct ManifestCheck {
    let layout: DataLayout

    private static let remedy = "Use another backup."

    func problems() throws -> [DataProblem] {
        guard try DiskFiles().size(layout.file(BackupManifest.name)) != nil else { return [] }
        do throws(BackupError) {
            return try BackupManifest(in: layout).files.compactMap { file in
                wrong(file).map { DataProblem("file", layout.file(file.path), $0, remedy: Self.remedy) }
            }
        } catch {
            return [DataProblem("file", layout.file(BackupManifest.name), error.message, remedy: Self.remedy)]
        }
    }

    private func wrong(_ file: BackupManifest.File) -> String? {
        let path = layout.file(file.path)
        do throws(FileError) {
            guard let size = try DiskFiles().size(path) else { return "it is not there" }
            guard size == file.sizeBytes else { return "it has \(size) bytes, not \(file.sizeBytes)" }
            return try FileDigest.sha256(path).hex == file.sha256 ? nil : "its bytes are not those backed up"
        } catch {
            return error.message
        }
    }
}

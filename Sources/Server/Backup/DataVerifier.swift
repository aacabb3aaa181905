import HearthCrypto
import HearthFiles
import HearthStorage
import HearthStorageSQLite

/// Checks every row and every model file of a data folder, also while a server uses it, or of a backup. It changes
/// nothing, unless it gets right copies of damaged model files.
package struct DataVerifier {
    /// What was checked, and what is wrong.
    package struct Report: Sendable, Codable, Equatable {
        package var data: String
        package var counts: BackupManifest.Counts
        /// Model files that are right: they have the bytes of their hashes.
        package var blobs: Int
        package var blobBytes: UInt64
        /// Model files in the trash. The server restores them if a record names them again.
        package var setAside: Int
        /// Objects of a store that no record names. The servers move them to the trash when they are a day old.
        package var orphans: Int?
        /// Model files that were damaged or missing, and were replaced; nil if none was to be.
        package var repaired: Int?
        package var problems: [DataProblem]

        package var isClean: Bool { problems.isEmpty }

        mutating func countRight(_ size: UInt64) {
            blobs += 1
            blobBytes += size
        }

        /// Counts a file that was replaced. A file that cannot be replaced is a problem of its own, and no reason to leave the
        /// others.
        ///
        /// - Throws: `StorageError` `.unavailable`, because then no other file can be replaced either.
        mutating func replace(_ fault: DataProblem, size: UInt64, _ body: () throws -> Void) throws {
            do {
                try body()
                repaired = (repaired ?? 0) + 1
                countRight(size)
            } catch let error as StorageError where error.code == .unavailable {
                throw error
            } catch {
                problems.append(fault.unreplaced(because: error))
            }
        }
    }

    private let layout: DataLayout
    private let quick: Bool
    private let source: RepairSource?
    /// A second attempt is enough if a server starts and keeps running.
    private static let attempts = 5

    /// - Parameters:
    ///   - quick: looks only whether model files are there with their lengths, and does not read them.
    ///   - source: has right copies of model files that are damaged; nil to change nothing.
    package init(data: String, quick: Bool = false, repairingFrom source: RepairSource? = nil) {
        (layout, self.quick, self.source) = (DataLayout(data), quick, source)
    }

    /// Blocks until all is read.
    ///
    /// - Throws: `BackupError` `.notFound` if there is no data folder.
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
            The database in \(layout.path) cannot be read without changing it: servers start and stop on it repeatedly, or \
            its log has no index (hearth.sqlite-shm), as in a manual copy. Verify it again while no server starts or \
            stops. For a manual copy, first start and stop a server on it.
            """)
    }

    /// Nil if a server started or stopped on the folder meanwhile, or if reading the database would create a file.
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

    /// Whether the model files belong to the database. A backup does not record it, and does not need it.
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
        report.repaired = source == nil ? nil : 0
        for (digest, size) in needed.sorted(by: { $0.key.hex < $1.key.hex }) {
            guard let text = try wrong(digest, size) else {
                report.countRight(size)
                continue
            }
            // A running server may have removed the file after the records were read, together with the last record
            // that names it.
            let now = try database.read { try RecordCheck($0) }
            guard now.requiredBlobs[digest] ?? now.optionalBlobs[digest] != nil else { continue }
            let isAside = trashedFiles.contains { $0.digest == digest }
            let fault = DataProblem(
                "file", layout.blob(digest), text,
                remedy: isAside
                    ? "It is in the trash: restart the server, which restores it." : DataProblem.fileRemedy)
            if let source, let path = source.file(digest, size: size) {
                try report.replace(fault, size: size) {
                    try source.replace(digest, with: path, size: size, in: layout)
                }
            } else {
                report.problems.append(fault)
            }
        }
    }

    /// What is wrong with a model file; nil if it is complete.
    private func wrong(_ digest: SHA256Digest, _ size: UInt64) throws -> String? {
        do throws(FileError) {
            switch PathKind(layout.blob(digest)) {
            case .file: break
            case .absent: return "it is not there"
            default: return "it is not a regular file"
            }
            guard let found = try DiskFiles().size(layout.blob(digest)) else { return "it is not there" }
            guard found == size else { return "it has \(found) bytes, not \(size)" }
            guard !quick else { return nil }
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

/// A database that is inspected in place, also while a server uses it. No file changes, and none appears.
struct InspectedDatabase {
    let snapshot: SQLiteSnapshot
    private let path: String
    /// The file's stamp if no program used it; nil if one may.
    private let stampWhenIdle: FileStamp?

    /// Nil if a server starts or stops using the file at this moment, or if the log has no index: reading it would
    /// create one.
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

    /// False if a server started to use the file: what was read may be from several states. While a server uses the
    /// file, it has a log beside it; when it has finished, any change shows in the file's stamp.
    var isConsistent: Bool {
        guard let stampWhenIdle else { return true }
        return FileStamp(path: Self.log(path)) == nil && FileStamp(path: path) == stampWhenIdle
    }

    private static func log(_ path: String) -> String { path + "-wal" }
}

/// Checks whether a backup's small files and database equal those in its manifest, byte for byte. A data folder has no
/// manifest, so there is nothing to compare. In both, model files are compared with their hashes.
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

import Foundation
import HearthFiles
package import HearthWire

/// A folder of backups that are made again and again: each has its time as its name, and only the newest are kept.
package struct BackupSeries {
    private let make: (_ target: String) throws -> BackupManifest
    private let folder: String
    private let keep: Int
    private let now: Timestamp

    /// What a run did.
    package struct Result {
        package var manifest: BackupManifest
        package var path: String
        /// The names of the backups that were deleted, oldest first.
        package var deleted: [String]
    }

    /// Of a data folder.
    package init(data: String, folder: String, keep: Int, now: Timestamp) {
        self.init(folder: folder, keep: keep, now: now) {
            try BackupWriter(data: data, target: $0, now: now).run()
        }
    }

    /// - Parameters:
    ///   - folder: the folder of the backups; it is made if it is missing.
    ///   - keep: how many backups stay, with the new one; 1 or more.
    ///   - make: makes a backup in a folder that does not exist.
    package init(
        folder: String, keep: Int, now: Timestamp, make: @escaping (_ target: String) throws -> BackupManifest
    ) {
        self.make = make
        self.folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        self.keep = keep
        self.now = now
    }

    /// Makes a backup, and deletes the oldest beyond those that stay. Nothing is deleted if the backup fails.
    package func run() throws -> Result {
        try DiskFiles().makeFolder(folder, mode: 0o700)
        try removeUnfinished()
        let name = Self.name(now)
        let path = FilePath.join(folder, name)
        let manifest = try make(path)
        return Result(manifest: manifest, path: path, deleted: try prune(except: name))
    }

    /// What a killed run was writing. First, because it can be as large as a backup. Another run's work is locked, and stays.
    private func removeUnfinished() throws {
        for entry in try DiskFiles().list(folder) where entry.hasSuffix(BackupTarget.unfinishedMark) {
            let name = String(entry.dropLast(BackupTarget.unfinishedMark.count))
            guard Self.isName(name) else { continue }
            // It is deleted with its owner, which never finishes it.
            do {
                _ = try BackupTarget(FilePath.join(folder, name)).staging()
            } catch let error as BackupError where error.code == .busy || error.code == .exists {
                continue
            }
        }
    }

    /// Only what has the name of such a backup and a manifest is deleted. The new one stays, even if the clock was set back
    /// and it is not the newest by its name.
    private func prune(except new: String) throws -> [String] {
        let files = DiskFiles()
        let backups = try files.list(folder).filter(Self.isName).sorted()
        var others = backups.filter { $0 != new && hasManifest($0) }
        let deleted = Array(others.dropLast(keep - 1))
        others.removeFirst(deleted.count)
        // What a killed run has begun to delete has no manifest any more.
        let begun = backups.filter { $0 != new && !hasManifest($0) && isBegun($0) }
        for name in deleted + begun { try delete(name) }
        return deleted
    }

    private func hasManifest(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: FilePath.join(folder, name + "/" + BackupManifest.name))
    }

    private func isBegun(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: FilePath.join(folder, name + "/" + Self.deletionMark))
    }

    private static let deletionMark = ".being-deleted"

    /// The manifest goes first, so that no command accepts the rest as a backup.
    private func delete(_ name: String) throws {
        let path = FilePath.join(folder, name)
        try AtomicFile.write([], to: FilePath.join(path, Self.deletionMark))
        if hasManifest(name) { try DiskFiles().remove(FilePath.join(path, BackupManifest.name)) }
        // The mark goes last, with the folder.
        for entry in try DiskFiles().list(path) where entry != Self.deletionMark {
            try FileManager.default.removeItem(atPath: FilePath.join(path, entry))
        }
        try FileManager.default.removeItem(atPath: path)
    }

    /// `2027-01-15T080000Z`: sorted by time, and without the colons that some disks refuse.
    private static func name(_ time: Timestamp) -> String { time.rfc3339(fractionDigits: 0).replacing(":", with: "") }

    private static func isName(_ name: String) -> Bool {
        let pattern = "0000-00-00T000000Z"
        return name.utf8.count == pattern.utf8.count
            && zip(name.utf8, pattern.utf8).allSatisfy { byte, form in
                form == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == form
            }
    }
}

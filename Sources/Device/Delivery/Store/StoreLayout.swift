import Foundation
import HearthCrypto
import HearthFiles
import HearthWire

/// The places of files in the store's folder, the store's format, and the lock under which it changes.
struct StoreLayout: Sendable {
    let folder: String
    let files: any FileOperations
    let pointers: PointerFolder
    let content: ContentStore
    let partials: PartialFolder
    private let format: StoreFormat
    private let longestWait: Duration

    /// Opens the store, creates it if it is missing, and brings it to the current format.
    ///
    /// - Throws: `.incompatible` when a newer version wrote the store, which then stays unchanged.
    init(folder: String, files: any FileOperations, longestWait: Duration) throws(FileError) {
        self.longestWait = longestWait
        self.folder = folder
        self.files = files
        format = StoreFormat(folder: folder, files: files)
        let isCurrent = try format.isCurrent()
        content = try ContentStore(folder: FilePath.join(folder, "files"), files: files)
        pointers = PointerFolder(folder: PointerFolder.path(in: folder), content: content, files: files)
        partials = PartialFolder(folder: content.folder, files: files)
        try makeFolders()
        if !isCurrent { try migrate() }
    }

    /// Creates the store's folders, because another program may have removed the store since it was opened.
    func makeFolders() throws(FileError) {
        try files.makeFolder(pointers.folder, mode: 0o700)
        try files.makeFolder(content.folder, mode: 0o700)
    }

    /// Takes the store's lock, which is held while pointers and files of any model change: between the moments when a
    /// file appears and when its pointer does, another install must not delete it.
    ///
    /// - Parameter mayWait: Called about 50 times a second while another process holds the lock; false ends the wait.
    ///   nil for the store's longest wait.
    /// - Throws: `.busy` when the lock was not free in that time, `.incompatible` when a newer program has changed the
    ///   store's format since it was opened.
    func lock(mayWait: (() -> Bool)? = nil) throws(FileError) -> FileLock {
        try makeFolders()
        // Time during which the device sleeps does not count, because the other processes sleep too.
        let end = SuspendingClock.now + longestWait
        let acquired = try FileLock.acquire(
            pointers.storeLockPath, asLongAs: mayWait ?? { SuspendingClock.now < end })
        guard let lock = acquired else {
            throw FileError(
                .busy,
                "Another program is using the model store \(folder): quit it or try again")
        }
        if try !format.isCurrent() {
            do throws(FileError) {
                // An interrupted upgrade starts again with the next lock.
                try pointers.upgrade()
                try format.writeCurrent()
            } catch {
                // Every reader of pointers also reads format 1: a full or read-only disk must not cost the models. The
                // next change tries again.
            }
        }
        return lock
    }

    private func migrate() throws(FileError) {
        do throws(FileError) {
            withExtendedLifetime(try lock()) {}
        } catch let error where error.code != .incompatible {
            // A read-only disk has no lock either: see `lock`.
        }
    }

    /// Renames a folder that is in the place of a model's file: a file cannot replace it, and it does not belong to the
    /// store, which must not delete it.
    func moveFolderAway(of digest: SHA256Digest) throws(FileError) {
        let path = content.path(of: digest)
        do throws(FileError) {
            _ = try files.list(path)
        } catch let error where error.code == .notFound {
            return
        } catch {
            // A folder without read permission is in the place too.
        }
        try files.rename(path, to: path + "-moved-" + String(UInt64.random(in: 0 ... .max), radix: 36))
    }

    /// The file of a version, kept from being deleted; nil when it is not whole or not readable.
    func wholeFile(_ version: StoredVersion) throws(FileError) -> FileLease? {
        guard let digest = version.digest, let lease = try readable(content.path(of: digest)),
            try VerifiedFiles.shared.isWhole(lease, digest, size: version.size)
        else { return nil }
        return lease
    }

    /// A file without read permission counts as missing: a new download replaces it.
    private func readable(_ path: String) throws(FileError) -> FileLease? {
        do throws(FileError) {
            return try FileLease.take(path)
        } catch let error where error.code == .notPermitted {
            return nil
        }
    }
}

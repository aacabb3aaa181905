import Foundation
import HearthCrypto
import HearthFiles
import HearthWire

/// What lies where in the store's folder, its format, and the lock under which it changes.
struct StoreLayout: Sendable {
    let folder: String
    let files: any FileOperations
    let pointers: PointerFolder
    let content: ContentStore
    let partials: PartialFolder
    private let format: StoreFormat
    private let longestWait: Duration

    /// Opens the store, made if there is none, and brings it to the current format.
    ///
    /// - Throws: `.incompatible` when a newer version wrote the store; nothing is touched then.
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

    /// Somebody may have removed the whole store since it was opened.
    func makeFolders() throws(FileError) {
        try files.makeFolder(pointers.folder, mode: 0o700)
        try files.makeFolder(content.folder, mode: 0o700)
    }

    /// Held while pointers and files change, of whatever model: between the moments when a file appears and when its
    /// pointer does, another install must not tidy it away.
    ///
    /// - Parameter mayWait: asked some fifty times a second while somebody else holds the lock, whether to go on waiting;
    ///   nil to wait no longer than the store's longest wait.
    /// - Throws: `.busy` when it was not free in that time, `.incompatible` when a newer program has taken the store over
    ///   since it was opened.
    func lock(mayWait: (() -> Bool)? = nil) throws(FileError) -> FileLock {
        try makeFolders()
        // Time that passes while the device sleeps does not count: the others sleep, too.
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
                // Interrupted anywhere, it is done again.
                try pointers.upgrade()
                try format.writeCurrent()
            } catch {
                // Format 1 is understood wherever a pointer is read: a full or read-only disk must not cost the models.
                // The next change tries again.
            }
        }
        return lock
    }

    private func migrate() throws(FileError) {
        do throws(FileError) {
            withExtendedLifetime(try lock()) {}
        } catch let error where error.code != .incompatible {
            // A read-only disk has no lock either: see above.
        }
    }

    /// A folder cannot be replaced by a file, and is not ours to delete: it gets another name.
    func moveFolderAway(of digest: SHA256Digest) throws(FileError) {
        let path = content.path(of: digest)
        do throws(FileError) {
            _ = try files.list(path)
        } catch let error where error.code == .notFound {
            return
        } catch {
            // A folder that may not be read is one, too.
        }
        try files.rename(path, to: path + "-moved-" + String(UInt64.random(in: 0 ... .max), radix: 36))
    }

    /// The file of a version, kept from being deleted; nil when it is not whole, or not readable.
    func wholeFile(_ version: ModelVersion) throws(FileError) -> FileLease? {
        guard let digest = version.digest, let lease = try readable(content.path(of: digest)),
            try VerifiedFiles.shared.isWhole(lease, digest, size: version.size)
        else { return nil }
        return lease
    }

    /// A file that may not be read is as good as none: fetched again, it is replaced.
    private func readable(_ path: String) throws(FileError) -> FileLease? {
        do throws(FileError) {
            return try FileLease.take(path)
        } catch let error where error.code == .notPermitted {
            return nil
        }
    }
}

/// The number of the form that a store's files are in, written down in the store.
///
/// 1: pointers that name the previous version by its hash only, and no file that tells the number.
/// 2: pointers with the previous version's length, and versions put aside.
struct StoreFormat: Sendable {
    static let current = 2

    let folder: String
    let files: any FileOperations

    private struct Record: Codable {
        // Any number that JSON may hold: what is larger than ours is newer.
        var format: Double
    }

    private static let limitBytes = 4096

    private var path: String { Self.path(in: folder) }

    static func path(in storeFolder: String) -> String { FilePath.join(storeFolder, "format") }

    /// Whether there is nothing to migrate.
    ///
    /// - Throws: `.incompatible` when a newer version wrote the store.
    func isCurrent() throws(FileError) -> Bool {
        guard let number = try number() else { return false }
        guard number <= Double(Self.current) else {
            throw FileError(
                .incompatible,
                "The models in \(folder) were stored by a newer version of Hearth: update this program to use them")
        }
        return number == Double(Self.current)
    }

    /// Last, when everything is in the current format.
    func writeCurrent() throws(FileError) {
        guard let bytes = try? WireJSON.encode(Record(format: Double(Self.current))) else {
            throw FileError(.io, "Cannot encode the store's format number")
        }
        try AtomicFile.write(bytes, to: path, files: files)
    }

    /// nil when there is none. One that is not readable counts as none: migrating again does no harm.
    private func number() throws(FileError) -> Double? {
        guard try files.size(path) != nil else { return nil }
        do throws(FileError) {
            let bytes = try files.read(path, limitBytes: Self.limitBytes)
            return try? JSONDecoder().decode(Record.self, from: Data(bytes)).format
        } catch let error where error.code == .tooLarge || error.code == .notFound {
            return nil
        }
    }
}

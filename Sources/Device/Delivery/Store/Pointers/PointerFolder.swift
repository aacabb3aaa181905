import Foundation
import HearthCrypto
import HearthFiles
import HearthWire

/// The store's `models` folder: one small file per model name.
struct PointerFolder: Sendable {
    let folder: String
    let content: ContentStore
    let files: any FileOperations

    private static let suffix = ".json"
    private static let limitBytes = 65_536

    /// nil when the file is missing or not readable; the model is then downloaded again.
    func pointer(_ name: String) throws(FileError) -> ModelPointer? {
        if let pointer = try current(path(name)), pointer.name == name { return pointer }
        // No version was installed, but this process may have rejected one and could not write that down.
        let empty = ModelPointer(name: name)
        let unwritten = UnwrittenRejections.shared.applied(to: empty, at: path(name))
        return unwritten == empty ? nil : unwritten
    }

    /// Every readable pointer.
    func all() throws(FileError) -> [ModelPointer] { try pointers(current) }

    /// Every readable pointer as other processes see it.
    func allOnDisk() throws(FileError) -> [ModelPointer] { try pointers(onDisk) }

    /// Whether a file for the name exists, readable or not.
    func exists(_ name: String) throws(FileError) -> Bool { try files.size(path(name)) != nil }

    /// Replaces the file in one step. The change is on the disk when this returns.
    func write(_ pointer: ModelPointer) throws(FileError) {
        guard let bytes = try? WireJSON.encode(pointer), bytes.count <= Self.limitBytes else {
            throw FileError(
                .io, "Cannot write the record of the model \(pointer.name.prefix(100)): its name is too long")
        }
        try AtomicFile.write(bytes, to: path(pointer.name), files: files)
        UnwrittenRejections.shared.forget(recordAt: path(pointer.name))
    }

    /// Rejects a version for this process only, until the model's record is written again: for a disk that cannot be
    /// written.
    func rejectInMemory(_ version: RejectedVersion, of name: String) {
        UnwrittenRejections.shared.add(version, toRecordAt: path(name))
    }

    /// Removes the model's pointer.
    func remove(_ name: String) throws(FileError) {
        try files.remove(path(name))
        UnwrittenRejections.shared.forget(recordAt: path(name))
        try files.synchronizeFolder(folder)
    }

    /// Writes pointers of format 1 again, in the current format.
    func upgrade() throws(FileError) {
        for path in try paths() {
            guard try read(path)?.isFormat1 == true, let pointer = try current(path) else { continue }
            // A damaged file may contain the name of another model.
            guard self.path(pointer.name) == path else { continue }
            try write(pointer)
        }
    }

    /// The lock file of a model's download.
    func lockPath(_ name: String) -> String { FilePath.join(folder, Self.fileName(name) + ".lock") }

    /// No model's file name begins with a point.
    var storeLockPath: String { FilePath.join(folder, ".store.lock") }

    private func pointers(
        _ pointer: (_ path: String) throws(FileError) -> ModelPointer?
    ) throws(FileError) -> [ModelPointer] {
        var pointers: [ModelPointer] = []
        for path in try paths() {
            if let pointer = try pointer(path) { pointers.append(pointer) }
        }
        return pointers
    }

    private func paths() throws(FileError) -> [String] {
        do throws(FileError) {
            return try files.list(folder).filter { $0.hasSuffix(Self.suffix) }.map { FilePath.join(folder, $0) }
        } catch let error where error.code == .notFound {
            // The store was removed, so nothing is installed.
            return []
        }
    }

    /// The pointer with the rejections that could not be written into it.
    private func current(_ path: String) throws(FileError) -> ModelPointer? {
        try onDisk(path).map { UnwrittenRejections.shared.applied(to: $0, at: path) }
    }

    /// The pointer on the disk, in the current format.
    private func onDisk(_ path: String) throws(FileError) -> ModelPointer? {
        try read(path)?.upgraded(size: content.size)
    }

    private func read(_ path: String) throws(FileError) -> ModelPointer? {
        guard try files.size(path) != nil else { return nil }
        do throws(FileError) {
            let bytes = try files.read(path, limitBytes: Self.limitBytes)
            return try? JSONDecoder().decode(ModelPointer.self, from: Data(bytes))
        } catch let error where error.code == .tooLarge || error.code == .notFound {
            // A foreign file, or another process removed it between the two reads.
            return nil
        }
    }

    private func path(_ name: String) -> String { Self.recordPath(of: name, in: folder) }

    private static func recordPath(of name: String, in folder: String) -> String {
        FilePath.join(folder, fileName(name) + suffix)
    }

    /// The folder in which a store keeps its pointers.
    static func path(in storeFolder: String) -> String { FilePath.join(storeFolder, "models") }

    /// The file in which a store keeps the pointer of a model.
    static func recordPath(of name: String, storeFolder: String) -> String {
        recordPath(of: name, in: path(in: storeFolder))
    }

    /// The model's own name if it is a safe file name, otherwise its hash: a name never leads out of the folder.
    static func fileName(_ name: String) -> String {
        let isSafe =
            (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
                    || byte == 0x2D || byte == 0x5F
            }
        return isSafe ? name : "+" + SHA256Hasher.hash(Array(name.utf8)).hex
    }
}

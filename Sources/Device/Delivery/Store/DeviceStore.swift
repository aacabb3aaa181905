import Foundation
import HearthCrypto
import HearthFiles
import HearthWire

/// The models on this device: a pointer per name, and content-addressed files.
///
/// Several processes may share one store. A file becomes visible only after its length and hash were checked, and the
/// pointer moves only after that. Calls block.
struct DeviceStore: Sendable {
    private let pointerFolder: String
    private let content: ContentStore
    private let files: any FileOperations

    init(folder: String, files: any FileOperations) throws(FileError) {
        pointerFolder = FilePath.join(folder, "models")
        self.files = files
        try files.makeFolder(pointerFolder, mode: 0o700)
        content = try ContentStore(folder: FilePath.join(folder, "files"), files: files)
    }

    /// The installed model, checked byte by byte; nil when there is none. `.damaged` when its file is not what the
    /// pointer says.
    enum Finding {
        case installed(CustomModel)
        case missing
        case damaged
    }

    func find(_ name: String) throws(FileError) -> Finding {
        var seen: ModelPointer?
        while let pointer = try pointer(name) {
            // Another process may have updated the model and tidied up between the two looks.
            if pointer == seen { return .damaged }
            seen = pointer
            if let digest = pointer.digest, try content.verify(digest, size: pointer.size) {
                return .installed(model(pointer, digest))
            }
        }
        return .missing
    }

    /// Begins the file of a model that is `size` bytes long.
    func begin(size: UInt64) throws(FileError) -> IncomingFile {
        try content.begin(limitBytes: size)
    }

    /// Checks length and hash, installs the file, then moves the pointer.
    func install(
        _ file: IncomingFile, name: String, version: Int?, digest: SHA256Digest, size: UInt64
    ) throws(FileError) -> CustomModel {
        // The slow part, before the lock: the bytes go to the disk.
        _ = try file.seal()
        let lock = try lockStore()
        defer { withExtendedLifetime(lock) {} }
        try file.commit(expecting: digest, size: size)
        let old = try pointer(name)
        let previous = old?.hash == digest.hex ? old?.previousHash : old?.hash
        let new = ModelPointer(name: name, version: version, hash: digest.hex, size: size, previousHash: previous)
        try write(new)
        tidyUp()
        return model(new, digest)
    }

    /// Every installed model whose file is there. Records and files that are not readable are left out.
    func list() throws(FileError) -> [CustomModel] {
        var models: [CustomModel] = []
        for pointer in try pointers() {
            guard let digest = pointer.digest, try content.size(of: digest) == pointer.size else { continue }
            models.append(model(pointer, digest))
        }
        return models
    }

    /// False when there is no such model.
    func delete(_ name: String) throws(FileError) -> Bool {
        let lock = try lockStore()
        defer { withExtendedLifetime(lock) {} }
        let path = pointerPath(name)
        guard try files.size(path) != nil else { return false }
        try files.remove(path)
        try files.synchronizeFolder(pointerFolder)
        tidyUp()
        return true
    }

    /// One process at a time fetches a model; the others wait here.
    func lock(_ name: String) throws(FileError) -> FileLock {
        try FileLock.acquire(FilePath.join(pointerFolder, Self.fileName(name) + ".lock"))
    }

    private func model(_ pointer: ModelPointer, _ digest: SHA256Digest) -> CustomModel {
        CustomModel(
            name: pointer.name, size: Int(clamping: pointer.size), path: content.path(of: digest), hash: pointer.hash)
    }

    /// Held while pointers and files change, of whatever model: between the moments when a file appears and when its
    /// pointer does, another install must not tidy it away.
    private func lockStore() throws(FileError) -> FileLock {
        try FileLock.acquire(FilePath.join(pointerFolder, ".store.lock"))
    }

    /// Deletes files that no pointer names, as current or as previous one. Under the store's lock. What cannot be deleted
    /// now stays for the next time: the change that came before it is done.
    private func tidyUp() {
        do throws(FileError) {
            try content.sweepAbandoned()
            try AtomicFile.sweepAbandoned(in: pointerFolder, files: files)
            let wanted = Set(try pointers().flatMap { [$0.hash, $0.previousHash].compactMap { $0 } })
            for digest in try content.digests() where !wanted.contains(digest.hex) {
                try content.remove(digest)
            }
        } catch {
            return
        }
    }

    private func pointers() throws(FileError) -> [ModelPointer] {
        var pointers: [ModelPointer] = []
        for name in try files.list(pointerFolder) where name.hasSuffix(Self.pointerSuffix) {
            if let pointer = try read(FilePath.join(pointerFolder, name)) { pointers.append(pointer) }
        }
        return pointers
    }

    private func pointer(_ name: String) throws(FileError) -> ModelPointer? {
        guard let pointer = try read(pointerPath(name)), pointer.name == name else { return nil }
        return pointer
    }

    /// nil when there is none or it is not readable; the model is fetched anew then.
    private func read(_ path: String) throws(FileError) -> ModelPointer? {
        guard try files.size(path) != nil else { return nil }
        do throws(FileError) {
            let bytes = try files.read(path, limitBytes: 65_536)
            return try? JSONDecoder().decode(ModelPointer.self, from: Data(bytes))
        } catch let error where error.code == .tooLarge || error.code == .notFound {
            // Not ours, or another process removed it between the two looks.
            return nil
        }
    }

    private func write(_ pointer: ModelPointer) throws(FileError) {
        guard let bytes = try? WireJSON.encode(pointer) else {
            throw FileError(.io, "Cannot encode the record of the model \(pointer.name)")
        }
        try AtomicFile.write(bytes, to: pointerPath(pointer.name), files: files)
    }

    private func pointerPath(_ name: String) -> String {
        FilePath.join(pointerFolder, Self.fileName(name) + Self.pointerSuffix)
    }

    private static let pointerSuffix = ".json"

    /// The model's own name where that is a safe file name, else its hash: a name never leads out of the folder.
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

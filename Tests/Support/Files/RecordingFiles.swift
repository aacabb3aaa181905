package import HearthFiles
import Synchronization

/// Does every operation on the real files and records it, for `CrashReplay`.
///
/// Only what succeeds is recorded. Operations outside `root` are done and not recorded. Use it from any thread.
package final class RecordingFiles: FileOperations {
    /// The folder whose contents are replayed; empty, and made durable before the recording starts.
    package let root: String

    private let base: any FileOperations
    private let recording = Mutex(Recording())

    private struct Recording {
        var operations: [RecordedOperation] = []
        var fileCount = 0
        /// The number of the file that lies at a path now.
        var numbers: [String: Int] = [:]

        mutating func create(_ path: String) -> Int {
            let number = fileCount
            operations.append(.createFile(path, file: number))
            numbers[path] = number
            fileCount += 1
            return number
        }
    }

    package init(root: String, base: any FileOperations = DiskFiles()) {
        self.root = root
        self.base = base
    }

    /// Everything so far, in order.
    package var operations: [RecordedOperation] { recording.withLock { $0.operations } }

    package func makeFolder(_ path: String, mode: UInt32) throws(FileError) {
        let missing = missingFolders(path)
        try base.makeFolder(path, mode: mode)
        for folder in missing {
            record(.makeFolder(folder))
            record(.synchronizeFolder(FilePath.folder(of: folder)))
        }
    }

    package func createFile(_ path: String, mode: UInt32) throws(FileError) -> any WritableFile {
        let file = try base.createFile(path, mode: mode)
        guard isRecorded(path) else { return file }
        return RecordedFile(file, number: recording.withLock { $0.create(path) }, owner: self)
    }

    package func appendFile(_ path: String, mode: UInt32) throws(FileError) -> (any WritableFile)? {
        guard let file = try base.appendFile(path, mode: mode) else { return nil }
        guard isRecorded(path) else { return file }
        let number = recording.withLock { $0.numbers[path] ?? $0.create(path) }
        return RecordedFile(file, number: number, owner: self)
    }

    package func rename(_ source: String, to target: String) throws(FileError) {
        try base.rename(source, to: target)
        guard isRecorded(target) else { return }
        recording.withLock { recording in
            recording.operations.append(.rename(source, to: target))
            recording.numbers[target] = recording.numbers.removeValue(forKey: source)
        }
    }

    package func synchronizeFolder(_ path: String) throws(FileError) {
        try base.synchronizeFolder(path)
        if isRecorded(path) { record(.synchronizeFolder(path)) }
    }

    package func remove(_ path: String) throws(FileError) {
        try base.remove(path)
        guard isRecorded(path) else { return }
        recording.withLock { recording in
            recording.operations.append(.remove(path))
            recording.numbers[path] = nil
        }
    }

    package func read(_ path: String, limitBytes: Int) throws(FileError) -> [UInt8] {
        try base.read(path, limitBytes: limitBytes)
    }

    package func size(_ path: String) throws(FileError) -> UInt64? { try base.size(path) }
    package func list(_ path: String) throws(FileError) -> [String] { try base.list(path) }
    package func freeBytes(_ folder: String) throws(FileError) -> UInt64 { try base.freeBytes(folder) }
    package func note(_ mark: String) { record(.note(mark)) }

    fileprivate func record(_ operation: RecordedOperation) {
        recording.withLock { $0.operations.append(operation) }
    }

    private func isRecorded(_ path: String) -> Bool { path == root || path.hasPrefix(root + "/") }

    /// The folders on the way to `path` that are not there yet, outermost first.
    private func missingFolders(_ path: String) -> [String] {
        var missing: [String] = []
        var folder = path
        while folder != root, isRecorded(folder), (try? base.list(folder)) == nil {
            missing.append(folder)
            folder = FilePath.folder(of: folder)
        }
        return missing.reversed()
    }
}

private final class RecordedFile: WritableFile {
    private let base: any WritableFile
    private let number: Int
    private let owner: RecordingFiles

    init(_ base: any WritableFile, number: Int, owner: RecordingFiles) {
        self.base = base
        self.number = number
        self.owner = owner
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        try base.write(bytes)
        owner.record(.write(file: number, bytes: Array(bytes)))
    }

    func synchronize() throws(FileError) {
        try base.synchronize()
        owner.record(.synchronize(file: number))
    }

    func truncate(to size: UInt64) throws(FileError) {
        try base.truncate(to: size)
        owner.record(.truncate(file: number, to: Int(clamping: size)))
    }

    var isInPlace: Bool { base.isInPlace }
}

/// One step towards the disk, as `RecordingFiles` saw it. Paths are absolute.
package enum RecordedOperation: Sendable, Equatable {
    /// One folder; making missing parents is several steps, each followed by the parent's synchronisation.
    case makeFolder(String)
    /// `file` numbers the files of a recording in the order in which they were made.
    case createFile(String, file: Int)
    case write(file: Int, bytes: [UInt8])
    case synchronize(file: Int)
    /// All bytes from that number on forgotten.
    case truncate(file: Int, to: Int)
    case rename(String, to: String)
    case synchronizeFolder(String)
    case remove(String)
    /// What a caller has been told: nothing on the disk.
    case note(String)
}

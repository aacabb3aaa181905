package import HearthFiles
import Synchronization

/// Fails operations on demand: a full disk, an I/O error, a missing permission. Use it from any thread.
package final class FailingFiles: FileOperations {
    /// An operation that changes the disk, and the path it is about.
    package enum Step: Sendable, Equatable {
        case makeFolder(String)
        case createFile(String)
        case appendFile(String)
        case write(String, byteCount: Int)
        case synchronize(String)
        case truncate(String)
        case rename(String, to: String)
        case synchronizeFolder(String)
        case remove(String)
    }

    /// The error to fail with, or nil to go on.
    package typealias Rule = @Sendable (Step) -> FileError?

    private let base: any FileOperations
    private let rule: Mutex<Rule>
    private let disk = Mutex(Disk.real)

    private enum Disk {
        case real
        case withFreeBytes(UInt64)
        case ofBytes(UInt64)
    }

    package init(_ base: any FileOperations = DiskFiles(), rule: @escaping Rule = { _ in nil }) {
        self.base = base
        self.rule = Mutex(rule)
    }

    /// Replaces the rule.
    package func fail(_ rule: @escaping Rule) { self.rule.withLock { $0 = rule } }

    /// Room for `bytes` more bytes.
    package func limitSpace(_ bytes: Int) {
        let left = Mutex(bytes)
        fail { step in
            guard case .write(let path, let count) = step else { return nil }
            return left.withLock { left in
                guard count <= left else { return FileError(.noSpace, "Cannot write to \(path): the disk is full") }
                left -= count
                return nil
            }
        }
    }

    /// Says from now on that the disk has so many bytes free; nil for the truth.
    package func pretendFreeBytes(_ bytes: UInt64?) {
        disk.withLock { $0 = bytes.map(Disk.withFreeBytes) ?? .real }
    }

    /// Says from now on that the disk has so many bytes, of which the files in the folder that is asked for take theirs.
    package func pretendDisk(ofBytes bytes: UInt64) { disk.withLock { $0 = .ofBytes(bytes) } }

    package func makeFolder(_ path: String, mode: UInt32) throws(FileError) {
        try pass(.makeFolder(path))
        try base.makeFolder(path, mode: mode)
    }

    package func createFile(_ path: String, mode: UInt32) throws(FileError) -> any WritableFile {
        try pass(.createFile(path))
        return FailingFile(try base.createFile(path, mode: mode), path: path, owner: self)
    }

    package func appendFile(_ path: String, mode: UInt32) throws(FileError) -> (any WritableFile)? {
        try pass(.appendFile(path))
        return try base.appendFile(path, mode: mode).map { FailingFile($0, path: path, owner: self) }
    }

    package func rename(_ source: String, to target: String) throws(FileError) {
        try pass(.rename(source, to: target))
        try base.rename(source, to: target)
    }

    package func synchronizeFolder(_ path: String) throws(FileError) {
        try pass(.synchronizeFolder(path))
        try base.synchronizeFolder(path)
    }

    package func remove(_ path: String) throws(FileError) {
        try pass(.remove(path))
        try base.remove(path)
    }

    package func read(_ path: String, limitBytes: Int) throws(FileError) -> [UInt8] {
        try base.read(path, limitBytes: limitBytes)
    }

    package func size(_ path: String) throws(FileError) -> UInt64? { try base.size(path) }
    package func list(_ path: String) throws(FileError) -> [String] { try base.list(path) }
    package func freeBytes(_ folder: String) throws(FileError) -> UInt64 {
        switch disk.withLock({ $0 }) {
        case .real: return try base.freeBytes(folder)
        case .withFreeBytes(let bytes): return bytes
        case .ofBytes(let bytes):
            var used: UInt64 = 0
            for name in try base.list(folder) { used += try base.size(FilePath.join(folder, name)) ?? 0 }
            return bytes - min(bytes, used)
        }
    }

    package func note(_ mark: String) { base.note(mark) }

    fileprivate func pass(_ step: Step) throws(FileError) {
        let rule = self.rule.withLock { $0 }
        if let error = rule(step) { throw error }
    }
}

private final class FailingFile: WritableFile {
    private let base: any WritableFile
    private let path: String
    private let owner: FailingFiles

    init(_ base: any WritableFile, path: String, owner: FailingFiles) {
        self.base = base
        self.path = path
        self.owner = owner
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        try owner.pass(.write(path, byteCount: bytes.count))
        try base.write(bytes)
    }

    func synchronize() throws(FileError) {
        try owner.pass(.synchronize(path))
        try base.synchronize()
    }

    func truncate(to size: UInt64) throws(FileError) {
        try owner.pass(.truncate(path))
        try base.truncate(to: size)
    }

    var isInPlace: Bool { base.isInPlace }
}

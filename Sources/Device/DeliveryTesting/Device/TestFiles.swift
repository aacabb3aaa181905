import HearthFiles

/// The operations of a ``TestDisk``: real ones, as long as nothing is to fail.
struct TestFiles: FileOperations {
    let base: any FileOperations
    let disk: TestDisk

    func makeFolder(_ path: String, mode: UInt32) throws(FileError) {
        // A folder that is there is no change, on a disk that is full or read-only as well.
        guard (try? base.list(path)) == nil else { return }
        try disk.check("make the folder", path)
        try base.makeFolder(path, mode: mode)
    }

    func createFile(_ path: String, mode: UInt32) throws(FileError) -> any WritableFile {
        try disk.check("create", path)
        return TestFile(try base.createFile(path, mode: mode), path: path, disk: disk)
    }

    func appendFile(_ path: String, mode: UInt32) throws(FileError) -> (any WritableFile)? {
        try disk.check("open", path)
        return try base.appendFile(path, mode: mode).map { TestFile($0, path: path, disk: disk) }
    }

    func rename(_ source: String, to target: String) throws(FileError) {
        try disk.check("rename a file to", target)
        try base.rename(source, to: target)
    }

    func synchronizeFolder(_ path: String) throws(FileError) {
        try disk.check("synchronise the folder", path)
        try base.synchronizeFolder(path)
    }

    func remove(_ path: String) throws(FileError) {
        try disk.check("remove", path)
        try base.remove(path)
    }

    func read(_ path: String, limitBytes: Int) throws(FileError) -> [UInt8] {
        try base.read(path, limitBytes: limitBytes)
    }

    func size(_ path: String) throws(FileError) -> UInt64? { try base.size(path) }
    func list(_ path: String) throws(FileError) -> [String] { try base.list(path) }
    func freeBytes(_ folder: String) throws(FileError) -> UInt64 {
        let free = try base.freeBytes(folder)
        return disk.claimedFreeBytes ?? free
    }

    func note(_ mark: String) { base.note(mark) }
}

/// Used by one thread at a time, as its kind is.
private final class TestFile: WritableFile {
    private let base: any WritableFile
    private let path: String
    private let disk: TestDisk

    init(_ base: any WritableFile, path: String, disk: TestDisk) {
        (self.base, self.path, self.disk) = (base, path, disk)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        try disk.check("write to", path, bytes: bytes.count)
        try base.write(bytes)
    }

    func synchronize() throws(FileError) {
        try disk.check("synchronise", path)
        try base.synchronize()
    }

    func truncate(to size: UInt64) throws(FileError) {
        try disk.check("cut", path)
        try base.truncate(to: size)
    }

    var isInPlace: Bool { base.isInPlace }
}

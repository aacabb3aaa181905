#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// `FileOperations` on the machine's file system.
package struct DiskFiles: FileOperations {
    package init() {}

    package func makeFolder(_ path: String, mode: UInt32) throws(FileError) {
        guard !path.isEmpty else { throw FileError(.notFound, "Cannot make a folder: its path is empty") }
        guard !isFolder(path) else { return }
        let parent = FilePath.folder(of: path)
        if parent != path { try makeFolder(parent, mode: mode) }
        if mkdir(path, mode) != 0 {
            let number = errno
            // Another process may have created it meanwhile.
            guard number == EEXIST, isFolder(path) else {
                throw FileError.system("make the folder", path, errno: number)
            }
        }
        try synchronizeFolder(parent)
    }

    private func isFolder(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    package func createFile(_ path: String, mode: UInt32) throws(FileError) -> any WritableFile {
        while true {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            guard descriptor >= 0 else { throw FileError.system("create", path, errno: errno) }
            let file = DiskFile(takingOwnershipOf: descriptor, path: path)
            file.lock()
            // A sweep between creation and lock considers the file abandoned and removes it.
            if file.isInPlace { return file }
        }
    }

    package func appendFile(_ path: String, mode: UInt32) throws(FileError) -> (any WritableFile)? {
        while true {
            // Does not follow a link or block on a pipe, which another program may have created.
            let flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
            let descriptor = open(path, flags, mode)
            guard descriptor >= 0 else { throw FileError.system("open", path, errno: errno) }
            let file = DiskFile(takingOwnershipOf: descriptor, path: path)
            guard FileStamp(descriptor: descriptor) != nil else {
                throw FileError(.exists, "Cannot append to \(path): it is not a regular file")
            }
            guard try file.tryLock() else { return nil }
            // Between opening and locking, the last writer may have renamed the file, or a sweep may have removed it.
            if file.isInPlace { return file }
        }
    }

    package func freeBytes(_ folder: String) throws(FileError) -> UInt64 {
        var info = statvfs()
        guard statvfs(folder, &info) == 0 else {
            throw FileError.system("ask for the free space of", folder, errno: errno)
        }
        let (bytes, overflow) = UInt64(info.f_bavail).multipliedReportingOverflow(by: UInt64(info.f_frsize))
        return overflow ? .max : bytes
    }

    /// The size of the disk of a folder, used or not.
    package func totalBytes(_ folder: String) throws(FileError) -> UInt64 {
        var info = statvfs()
        guard statvfs(folder, &info) == 0 else {
            throw FileError.system("ask for the size of", folder, errno: errno)
        }
        let (bytes, overflow) = UInt64(info.f_blocks).multipliedReportingOverflow(by: UInt64(info.f_frsize))
        return overflow ? .max : bytes
    }

    package func rename(_ source: String, to target: String) throws(FileError) {
        #if canImport(Glibc)
            let status = Glibc.rename(source, target)
        #else
            let status = Darwin.rename(source, target)
        #endif
        guard status == 0 else { throw FileError.system("rename a file to", target, errno: errno) }
    }

    package func synchronizeFolder(_ path: String) throws(FileError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError.system("open the folder", path, errno: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileError.system("synchronise the folder", path, errno: errno) }
    }

    package func remove(_ path: String) throws(FileError) {
        guard unlink(path) == 0 else { throw FileError.system("remove", path, errno: errno) }
    }

    package func read(_ path: String, limitBytes: Int) throws(FileError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError.system("open", path, errno: errno) }
        defer { close(descriptor) }
        var contents: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = systemRead(descriptor, &chunk)
            guard count >= 0 else { throw FileError.system("read", path, errno: errno) }
            if count == 0 { return contents }
            guard contents.count + count <= limitBytes else {
                throw FileError(.tooLarge, "Cannot read \(path): it is larger than \(limitBytes) bytes")
            }
            contents.append(contentsOf: chunk[..<count])
        }
    }

    package func size(_ path: String) throws(FileError) -> UInt64? {
        var info = stat()
        guard stat(path, &info) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw FileError.system("look at", path, errno: errno)
        }
        return info.st_mode & S_IFMT == S_IFREG ? UInt64(info.st_size) : nil
    }

    package func list(_ path: String) throws(FileError) -> [String] {
        guard let folder = opendir(path) else { throw FileError.system("list the folder", path, errno: errno) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    while true {
        let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 || errno != EINTR { return count }
    }
}

/// Owns one descriptor, which is closed with the object.
///
/// It holds an advisory lock during its life, so that a store can distinguish a file that this or another process is
/// still writing from a file that a crash left.
final class DiskFile: WritableFile {
    private let descriptor: Int32
    private let path: String

    init(takingOwnershipOf descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { LockedDescriptor.close(descriptor) }

    /// For a new file, whose lock only a sweep may hold, for a moment.
    func lock() {
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }

    /// False while another descriptor holds the lock.
    func tryLock() throws(FileError) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw FileError.system("lock", path, errno: errno) }
        }
        return true
    }

    var isInPlace: Bool { FileStamp.isInPlace(descriptor, path) }

    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        var rest = bytes
        while let base = rest.baseAddress, !rest.isEmpty {
            let count = systemWrite(descriptor, base, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw FileError.system("write to", path, errno: errno)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    func truncate(to size: UInt64) throws(FileError) {
        guard ftruncate(descriptor, off_t(clamping: size)) == 0, lseek(descriptor, 0, SEEK_END) >= 0 else {
            throw FileError.system("shorten", path, errno: errno)
        }
    }

    func synchronize() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw FileError.system("synchronise", path, errno: errno) }
    }
}

private func systemWrite(_ descriptor: Int32, _ base: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, base, count)
}

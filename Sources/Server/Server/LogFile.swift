import Foundation
import Glibc
import HearthFiles
import HearthStorage

/// The file of a server's log. Any thread may use it. The descriptor is closed with the object.
///
/// Its descriptor's number never changes: a reopen puts another file behind that number in one step, so that no line is lost
/// or torn.
package final class LogFile: Sendable {
    private let path: String
    private let descriptor: Int32

    /// Appends to the file, and makes it if necessary.
    init(path: String) throws(ServerStartError) {
        self.path = path
        descriptor = try Self.open(path, O_CREAT)
    }

    /// The file, if it exists.
    package init(existing path: String) throws(ServerStartError) {
        self.path = path
        descriptor = try Self.open(path)
    }

    /// Checks whether the file can be opened once the data folder exists. Makes nothing.
    static func check(_ path: String, layout: DataLayout) throws(ServerStartError) {
        let (place, data) = (FolderNesting.parts(of: path), FolderNesting.parts(of: layout.path))
        if place.starts(with: data), place.dropFirst(data.count).first.map(layout.isOwn) ?? true {
            throw ServerStartError(
                "The server cannot log to \(path), where it keeps something else. Give another file.")
        }
        guard access(path, F_OK) != 0 else { return _ = try LogFile(existing: path) }
        guard errno == ENOENT || errno == ENOTDIR else { throw failure(path, errno) }
        if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
            // The target of a link, which may not exist yet.
            let base = URL(fileURLWithPath: FilePath.folder(of: path), isDirectory: true)
            return try check(URL(fileURLWithPath: target, relativeTo: base).path, layout: layout)
        }
        // Only a folder has such a name.
        guard !path.hasSuffix("/") else { throw failure(path, EISDIR) }
        let folder = FilePath.folder(of: path)
        var status = stat()
        guard stat(folder, &status) == 0 else {
            // The start may make it together with the data folder.
            if errno == ENOENT, data.starts(with: place.dropLast()) { return }
            throw failure(path, errno)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw failure(path, ENOTDIR) }
        guard access(folder, W_OK | X_OK) == 0 else { throw failure(path, errno) }
    }

    deinit { close(descriptor) }

    /// Writes a line. There is no place to report a lost line.
    func line(_ text: String) { _ = Descriptor.write(Array((text + "\n").utf8), to: descriptor) }

    /// Continues in the file that has the name now. The file before was moved away.
    func reopen() throws(ServerStartError) {
        let new = try Self.open(path, O_CREAT)
        defer { close(new) }
        while dup2(new, descriptor) < 0 {
            guard errno == EINTR || errno == EBUSY else { throw Self.failure(path, errno) }
        }
        // A program that is started in between does not inherit it.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private static func open(_ path: String, _ more: Int32 = 0) throws(ServerStartError) -> Int32 {
        // Does not wait for the reader of a pipe.
        let flags = more | O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        let descriptor = Glibc.open(path, flags, 0o600)
        guard descriptor >= 0 else { throw failure(path, errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw ServerStartError(
                "The server cannot log to \(path): it is not a file. Omit --log-file for standard error.")
        }
        return descriptor
    }

    private static func failure(_ path: String, _ number: Int32) -> ServerStartError {
        let isThere = access(path, F_OK) == 0
        return ServerStartError(
            """
            The log file \(path) cannot be opened (\(String(cString: strerror(number)))). \
            \(isThere ? "The" : "Its folder must exist, and the") server's user must be able to write to it.
            """)
    }
}

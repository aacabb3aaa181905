import Foundation
import Glibc
import HearthFiles

/// The file for a result. A regular file is replaced as a whole; a pipe or a device is written to.
package struct OutputFile {
    package let path: String
    /// Whether another program reads what is written, so that nothing else may be added.
    package let isStream: Bool
    /// The permissions of the existing file.
    private let mode: UInt32?

    /// - Throws: if `path` is empty or names a folder.
    package init(_ path: String) throws(CommandFailure) {
        guard !path.isEmpty else { throw CommandFailure("The name of the file to write is empty.") }
        var info = stat()
        let isThere = stat(path, &info) == 0
        let kind = isThere ? info.st_mode & S_IFMT : S_IFREG
        guard kind != S_IFDIR, !path.hasSuffix("/") else {
            throw CommandFailure("Cannot write \(path): it is a folder; name a file in it.")
        }
        self.path = path
        isStream = kind != S_IFREG
        mode = isThere ? info.st_mode & 0o777 : nil
    }

    package func write(_ bytes: [UInt8]) throws(CommandFailure) {
        guard isStream else { return try replace(bytes) }
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        guard let number = Descriptor.write(bytes, to: descriptor) else { return }
        throw failure(String(cString: strerror(number)))
    }

    private func replace(_ bytes: [UInt8]) throws(CommandFailure) {
        do throws(FileError) {
            try AtomicFile.write(bytes, to: target(), mode: mode ?? 0o644)
        } catch {
            // The message names a temporary file, which the user does not know.
            throw failure(error.reason, cause: error)
        }
    }

    /// The file at the end of the links, which may not exist yet. The links stay.
    private func target() -> String {
        var target = path
        // The system itself follows as many links.
        for _ in 0..<40 {
            guard let next = Self.destination(of: target) else { break }
            target = next.hasPrefix("/") ? next : FilePath.join(FilePath.folder(of: target), next)
        }
        return target
    }

    private static func destination(of link: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { raw in
            raw.withMemoryRebound(to: CChar.self) { readlink(link, $0.baseAddress!, $0.count) }
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    private func failure(_ reason: String, cause: (any Error)? = nil) -> CommandFailure {
        CommandFailure("Cannot write \(path): \(reason)", cause: cause)
    }
}

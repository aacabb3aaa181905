import Foundation
import Glibc
import HearthFiles

/// Where a user wants a result: a file is replaced whole, a pipe or a device is written into.
package struct OutputFile {
    package let path: String
    /// Whether what is written goes on to somebody else, so that nothing else belongs on the way there.
    package let isStream: Bool
    /// The permissions that a file which is already there has.
    private let mode: UInt32?

    /// - Throws: when `path` is empty or names a folder.
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
            // The message names a temporary file, of which the user knows nothing.
            throw failure(error.reason)
        }
    }

    /// The file at the end of the links, which need not be there: a link stays a link.
    private func target() -> String {
        var target = path
        // As many links as the system itself follows.
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

    private func failure(_ reason: String) -> CommandFailure { CommandFailure("Cannot write \(path): \(reason)") }
}

import Foundation
import HearthCalls
import HearthCrypto
import HearthFiles
import HearthTransport

/// An open file that is sent in parts. Owns the descriptor: opened in `init`, closed once in `deinit`.
final class UploadFile {
    let path: String
    let size: UInt64
    /// Lower-case hex.
    let sha256: String
    private let descriptor: Int32

    /// Reads the whole file once, for its hash.
    init(path: String) throws(AdminError) {
        sha256 = try FileUploader.reading { () throws(FileError) in try FileDigest.sha256(path).hex }
        // Without O_NONBLOCK, opening a named pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw AdminError(.invalidFile, "Cannot read \(path): \(String(cString: strerror(errno)))")
        }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Self.notRegular(path)
        }
        self.path = path
        self.descriptor = descriptor
        size = UInt64(max(0, info.st_size))
    }

    static func notRegular(_ path: String) -> AdminError {
        AdminError(.invalidFile, "\(path) is not a regular file; name a model file or a bundle.")
    }

    /// `count` bytes from `offset` on, within the size that the file had. Wraps `pread`.
    func read(at offset: UInt64, count: Int) throws(AdminError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress! + done, count - done, off_t(offset) + off_t(done))
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else {
                throw AdminError(
                    .invalidFile, "\(path) changed or could not be read while it was sent; push it again.")
            }
            done += got
        }
        return bytes
    }

    deinit { close(descriptor) }
}

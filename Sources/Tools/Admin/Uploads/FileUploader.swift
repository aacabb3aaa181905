import Glibc
import HearthCrypto
import HearthFiles
import HearthLocalCommands
import HearthTransport
import HearthWire

/// Brings a file to the server: a small one in one call, a larger one in pieces that can be gone on with.
struct FileUploader {
    /// Told how many bytes the server has, and of how many.
    typealias Progress = @Sendable (UInt64, UInt64?) -> Void

    let client: AdminClient
    /// Where unfinished uploads are remembered.
    var memory: UploadRecords? = UploadRecords.standard()
    /// Whether to go on with what an earlier run of the program left unfinished.
    var resumes = false
    var progress: Progress = { _, _ in }

    /// Larger files go in pieces of this size: a multiple of 256 KiB, as other servers of this protocol demand.
    var chunkBytes = 8 << 20

    /// The server takes no other bytes than those that it announces.
    static let hashHeader = "x-hearth-sha256"

    /// - Parameter name: what the server calls the file.
    /// - Throws: `IncompleteUploadError` when the server has a part and the rest can follow later.
    func upload(_ path: String, name: String) throws -> UploadResource {
        guard let size = try DiskFiles().size(path) else {
            throw CommandFailure("\(path) is not a regular file; name a model file or a bundle.")
        }
        guard size > UInt64(chunkBytes) else { return try uploadWhole(path, name: name) }
        let file = try UploadFile(path: path)
        let upload = ResumableUpload(
            client: client, file: file, name: name, chunkBytes: chunkBytes, memory: memory, progress: progress)
        let resource = try upload.run(resumes: resumes)
        guard resource.sha256 == file.sha256 else {
            throw CommandFailure("\(path) changed while it was sent; push it again.")
        }
        return resource
    }

    private func uploadWhole(_ path: String, name: String) throws -> UploadResource {
        let progress = progress
        // Sent twice it is stored once: files are named by their hash.
        return try client.call(
            AdminRequest(
                method: "POST", path: try client.uploadsPath() + AdminRequest.query([("name", name)]),
                headers: [(Self.hashHeader, try FileDigest.sha256(path).hex)], body: .file(path: path),
                contentType: "application/octet-stream", isIdempotent: true,
                uploadProgress: { progress($0, $1) }))
    }
}

/// An open file that goes out in pieces. Owns the descriptor: opened in `init`, closed once in `deinit`.
final class UploadFile {
    let path: String
    let size: UInt64
    /// Lower-case hex.
    let sha256: String
    private let descriptor: Int32

    /// Reads the whole file once, for its hash.
    init(path: String) throws {
        sha256 = try FileDigest.sha256(path).hex
        // Without O_NONBLOCK, opening a named pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw CommandFailure("Cannot read \(path): \(String(cString: strerror(errno)))") }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw CommandFailure("\(path) is not a regular file; name a model file or a bundle.")
        }
        self.path = path
        self.descriptor = descriptor
        size = UInt64(max(0, info.st_size))
    }

    /// `count` bytes from `offset` on, which lie within the size that the file had. Wraps `pread`.
    func read(at offset: UInt64, count: Int) throws(CommandFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress! + done, count - done, off_t(offset) + off_t(done))
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else {
                throw CommandFailure("\(path) changed or could not be read while it was sent; push it again.")
            }
            done += got
        }
        return bytes
    }

    deinit { close(descriptor) }
}

/// Files on their way to a project.
extension AdminClient {
    func uploadsPath() throws -> String { "/hearth/v1/projects/\(AdminRequest.encoded(try project()))/uploads" }

    /// Oldest first.
    func unfinishedUploads() throws -> [UploadBodies.Unfinished] {
        try call(UploadBodies.List.self, .get(uploadsPath())).uploads ?? []
    }

    func cancelUpload(_ upload: String) throws -> UploadBodies.Unfinished {
        try call(.change("DELETE", uploadsPath() + "/" + AdminRequest.encoded(upload)))
    }
}

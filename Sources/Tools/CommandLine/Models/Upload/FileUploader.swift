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
    var memory: UploadMemory? = UploadMemory.standard()
    /// Whether to go on with what an earlier run of the program left unfinished.
    var resumes = false
    var progress: Progress = { _, _ in }

    /// Larger files go in pieces of this size: a multiple of 256 KiB, as other servers of this protocol demand.
    var pieceBytes = 8 << 20

    /// The server takes no other bytes than those that it announces.
    static let hashHeader = "x-hearth-sha256"

    /// - Parameter name: what the server calls the file.
    /// - Throws: `UnfinishedUpload` when the server has a part and the rest can follow later.
    func upload(_ path: String, name: String) throws -> UploadResource {
        guard let size = try DiskFiles().size(path) else {
            throw CommandFailure("\(path) is not a regular file; name a model file or a bundle.")
        }
        guard size > UInt64(pieceBytes) else { return try uploadWhole(path, name: name) }
        let file = try UploadFile(path: path)
        let upload = ResumableUpload(
            client: client, file: file, name: name, pieceBytes: pieceBytes, memory: memory, progress: progress)
        let resource = try upload.run(resumes: resumes)
        guard resource.sha256 == file.sha256 else {
            throw CommandFailure("\(path) changed while it was sent; push it again.")
        }
        return resource
    }

    private func uploadWhole(_ path: String, name: String) throws -> UploadResource {
        let progress = progress
        // Sent twice it is stored once: files are named by their hash.
        return try client.answer(
            AdminRequest(
                method: "POST", path: try client.uploadsPath() + AdminRequest.query([("name", name)]),
                headers: [(Self.hashHeader, try FileDigest.sha256(path).hex)], body: .file(path: path),
                contentType: "application/octet-stream", isRepeatable: true,
                uploadProgress: { progress($0, $1) }))
    }
}

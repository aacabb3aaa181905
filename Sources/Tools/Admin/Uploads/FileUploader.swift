import Foundation
public import HearthCalls
import HearthCrypto
import HearthFiles
import HearthTransport

/// Uploads a file to the server: a small one in one call, one of more than 8 MiB in parts.
///
/// An upload in parts continues automatically if the connection breaks, or if the server is away for up to five minutes. A
/// later run of the program can resume it, because the library records each unfinished upload in a small file.
public struct FileUploader: Sendable {
    /// Receives the number of bytes that the server has, and the total; nil if the total is unknown.
    public typealias Progress = @Sendable (_ receivedBytes: UInt64, _ totalBytes: UInt64?) -> Void

    /// The client whose server and project get the file.
    public let client: AdminClient
    /// The folder for the records of unfinished uploads, for its user only; nil records nothing.
    public var recordFolder: String?
    /// Whether to continue uploads that an earlier run of the program did not finish.
    public var resumes: Bool
    /// Receives the progress, at most a few times per second, on the uploading thread.
    public var progress: Progress

    /// Larger files are sent in parts of this size. It is a multiple of 256 KiB, as other servers of this protocol demand.
    var partBytes = 8 << 20

    /// The server accepts only the announced number of bytes.
    static let hashHeader = "x-hearth-sha256"

    /// Makes an uploader. It makes no call yet.
    ///
    /// - Parameters:
    ///   - client: the client whose server and project get the file.
    ///   - recordFolder: the folder for the records of unfinished uploads; nil records nothing.
    ///   - resumes: whether to continue uploads that an earlier run of the program did not finish.
    ///   - progress: receives the progress, on the uploading thread.
    public init(
        client: AdminClient, recordFolder: String? = FileUploader.standardRecordFolder, resumes: Bool = false,
        progress: @escaping Progress = { _, _ in }
    ) {
        self.client = client
        self.recordFolder = recordFolder
        self.resumes = resumes
        self.progress = progress
    }

    /// `$XDG_CACHE_HOME/hearth/uploads`, else `~/.cache/hearth/uploads`; nil if the environment names neither.
    public static var standardRecordFolder: String? {
        UploadRecords.standardFolder(ProcessInfo.processInfo.environment)
    }

    /// Uploads a file, and waits until the server has validated it.
    ///
    /// - Parameters:
    ///   - path: a regular file.
    ///   - name: the name of the file on the server.
    /// - Returns: the place of the file, for ``ModelPush``, and what is wrong with it.
    /// - Throws: ``AdminError``; `incompleteUpload` if the server has a part and the rest can follow later.
    public func upload(_ path: String, name: String) throws(AdminError) -> UploadResource {
        guard let size = try Self.reading({ () throws(FileError) in try DiskFiles().size(path) }) else {
            throw UploadFile.notRegular(path)
        }
        guard size > UInt64(partBytes) else { return try uploadWhole(path, name: name) }
        let file = try UploadFile(path: path)
        let upload = ResumableUpload(
            client: client, file: file, name: name, partBytes: partBytes,
            records: recordFolder.map { UploadRecords(folder: $0) }, progress: progress)
        let resource = try upload.run(resumes: resumes)
        guard resource.sha256 == file.sha256 else {
            throw AdminError(.invalidFile, "\(path) changed while it was sent; push it again.")
        }
        return resource
    }

    private func uploadWhole(_ path: String, name: String) throws(AdminError) -> UploadResource {
        let progress = progress
        let hash = try Self.reading { () throws(FileError) in try FileDigest.sha256(path).hex }
        // A file that is sent twice is stored once: files are named by their hash.
        var request = AdminRequest(UploadCalls.send, [try client.project()], query: [("name", name)])
        request.headers = [(Self.hashHeader, hash)]
        request.body = .file(path: path)
        request.contentType = "application/octet-stream"
        request.isIdempotent = true
        request.uploadProgress = { progress($0, $1) }
        return try client.answer(to: request)
    }

    static func reading<Value>(_ body: () throws(FileError) -> Value) throws(AdminError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw AdminError(error)
        }
    }
}

/// Uploads of a project.
extension AdminClient {
    /// The project's unfinished uploads in parts, oldest first.
    ///
    /// - Throws: ``AdminError``.
    public func unfinishedUploads() throws(AdminError) -> [UploadBodies.Unfinished] {
        try call(UploadCalls.list, project()).uploads ?? []
    }

    /// Cancels an upload: the server deletes its received bytes.
    ///
    /// - Parameter upload: its id, from the list.
    /// - Returns: the upload before the call.
    /// - Throws: ``AdminError``.
    public func cancelUpload(_ upload: String) throws(AdminError) -> UploadBodies.Unfinished {
        try call(UploadCalls.cancelNamed, project(), upload)
    }
}

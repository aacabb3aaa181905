import Foundation
import HearthLocalCommands
import HearthTransport
import HearthWire

/// Sends a file in pieces. Asks the server what it has after every accident, and goes on from there.
struct ResumableUpload {
    let client: AdminClient
    let file: UploadFile
    let name: String
    let chunkBytes: Int
    let memory: UploadRecords?
    let progress: FileUploader.Progress

    /// Accidents in a row, without a byte that arrived; with their pauses five minutes.
    static let failureLimit = 15
    /// By this one somebody wonders.
    private static let noticeAfterFailures = 3

    func run(resumes: Bool) throws -> UploadResource {
        let key = UploadRecords.key(
            url: client.url, project: try client.project(), name: name, sha256: file.sha256)
        var state = State(total: file.size)
        if resumes {
            if let record = memory?.record(key) {
                state.session = record.path
                state.offset = nil
                state.isResumed = true
            } else {
                Output.note("note: there is no unfinished upload of this file; it starts from the beginning.")
            }
        }
        do {
            let resource = try send(&state, key)
            memory?.remove(key)
            return resource
        } catch let error where state.session != nil && memory?.record(key)?.path == state.session {
            throw IncompleteUploadError(
                reason: Self.sentence(error), sentBytes: state.receivedBytes, totalBytes: state.total)
        }
    }

    /// What is known of the upload.
    private struct State {
        let total: UInt64
        /// Nil before there is one.
        var session: String?
        /// Where to go on; nil when the server has to be asked.
        var offset: UInt64? = 0
        /// What certainly is on the server.
        var receivedBytes: UInt64 = 0
        var failures = 0
        /// Whether an earlier run began it, and the user was not told yet how far that came.
        var isResumed = false
        /// Whether a session got lost once already.
        var hasRestarted = false

        init(total: UInt64) { self.total = total }
    }

    private func send(_ state: inout State, _ key: String) throws -> UploadResource {
        while true {
            let session = try state.session ?? begin(&state, key)
            let response: TransportResponse
            do {
                response = try client.responseWithoutRetry(try request(session, state))
            } catch let error as TransportError where error.isRetryable {
                try retryLater(&state, error, seconds: nil)
                continue
            }
            switch UploadSessionStatus(response, total: state.total, nowSeconds: Int64(Date().timeIntervalSince1970)) {
            case .finished:
                progress(state.total, state.total)
                return try AdminClient.decode(UploadResource.self, response)
            case .received(let bytes):
                if state.isResumed { reportResume(bytes, &state) }
                try advance(&state, to: bytes)
            case .busy(let seconds): try retryLater(&state, AdminErrorResponse(response), seconds: seconds)
            case .malformedResponse:
                try retryLater(
                    &state, CommandFailure("The server's answer to a part of the file is not readable."), seconds: nil)
            case .gone:
                memory?.remove(key)
                guard !state.hasRestarted else { throw AdminErrorResponse(response) }
                Output.note("note: the server has forgotten the unfinished upload; it starts from the beginning.")
                state.session = nil
                state.isResumed = false
                state.hasRestarted = true
            case .refused:
                // With other credentials, or more room, it can go on.
                if ![401, 403, 507].contains(response.status) { memory?.remove(key) }
                throw AdminErrorResponse(response)
            }
        }
    }

    private func begin(_ state: inout State, _ key: String) throws -> String {
        let query = AdminRequest.query([("name", name), ("resumable", "true")])
        let response = try client.response(
            AdminRequest(
                method: "POST", path: try client.uploadsPath() + query,
                headers: [("X-Upload-Content-Length", "\(file.size)")], isIdempotent: true))
        guard (200...299).contains(response.status) else { throw AdminErrorResponse(response) }
        guard let location = response.headers["Location"],
            let path = UploadSessionPath.path(location: location, base: client.url)
        else { throw CommandFailure("The server's answer does not say where to send the file.") }
        state.session = path
        state.offset = 0
        state.receivedBytes = 0
        do {
            try memory?.save(UploadRecords.Record(path: path), key)
        } catch {
            Output.note("note: should the upload break off, it cannot be resumed later: \(error)")
        }
        return path
    }

    private func request(_ session: String, _ state: State) throws -> AdminRequest {
        var request = AdminRequest(
            method: "PUT", path: session, headers: [(FileUploader.hashHeader, file.sha256)],
            contentType: "application/octet-stream", isIdempotent: true)
        guard let offset = state.offset, offset < state.total else {
            request.headers.append(("Content-Range", ContentRange.statusQuery(total: state.total)))
            return request
        }
        let count = Int(min(UInt64(chunkBytes), state.total - offset))
        request.headers.append(
            ("Content-Range", ContentRange.chunk(offset: offset, count: count, total: state.total)))
        request.body = .bytes(try file.read(at: offset, count: count))
        let (progress, total) = (progress, state.total)
        request.uploadProgress = { sent, _ in progress(offset + sent, total) }
        return request
    }

    private func advance(_ state: inout State, to bytes: UInt64) throws {
        let asked = state.offset == nil
        let isProgress = bytes > state.receivedBytes
        state.offset = bytes
        state.receivedBytes = bytes
        progress(bytes, state.total)
        if isProgress {
            state.failures = 0
        } else if !asked || bytes == state.total {
            // The piece did not count, or all of it is there and the server does not say what it is.
            try retryLater(&state, CommandFailure("The server does not take the file any further."), seconds: nil)
        }
    }

    private func reportResume(_ bytes: UInt64, _ state: inout State) {
        state.isResumed = false
        Output.note(
            "note: \(ByteCount.text(bytes)) of \(ByteCount.text(state.total)) are on the server; the upload goes on there."
        )
    }

    /// Waits, and has the server asked then.
    private func retryLater(_ state: inout State, _ error: any Error, seconds: Double?) throws {
        state.failures += 1
        guard state.failures < Self.failureLimit else { throw error }
        if state.failures == Self.noticeAfterFailures {
            Output.note("note: \(Self.sentence(error)) The upload is tried again for about five minutes.")
        }
        client.sleep(min(seconds ?? RetryPolicy.backoffSeconds(state.failures), RetryPolicy.longestPauseSeconds))
        state.offset = nil
    }

    private static func sentence(_ error: any Error) -> String {
        let text = "\(error)"
        return text.hasSuffix(".") ? text : text + "."
    }
}

/// An upload that broke off with a part of the file on the server.
struct IncompleteUploadError: Error, CustomStringConvertible {
    let reason: String
    let sentBytes: UInt64
    let totalBytes: UInt64

    var description: String {
        "\(reason) \(ByteCount.text(sentBytes)) of \(ByteCount.text(totalBytes)) are on the server; to go on, run the same "
            + "command with --resume."
    }
}

import HearthCalls
import HearthTransport
import HearthWire

/// Sends a file in parts. After every failure it asks the server what it has, and continues from there.
struct ResumableUpload {
    let client: AdminClient
    let file: UploadFile
    let name: String
    let partBytes: Int
    let records: UploadRecords?
    let progress: FileUploader.Progress

    /// Consecutive failures without an arrived byte; with their pauses, five minutes.
    static let failureLimit = 15
    /// After this many failures without an answer the user wants to know the reason. A reason of the server is told at once.
    private static let noticeAfterFailures = 3

    func run(resumes: Bool) throws(AdminError) -> UploadResource {
        let key = UploadRecords.key(
            url: client.url, project: try client.project(), name: name, sha256: file.sha256)
        var state = State(total: file.size)
        if resumes {
            if let record = records?.record(key) {
                state.session = record.path
                state.offset = nil
                state.isResumed = true
            } else {
                client.onNotice(.noUnfinishedUpload)
            }
        }
        do throws(AdminError) {
            let resource = try send(&state, key)
            records?.remove(key)
            return resource
        } catch {
            guard state.session != nil, records?.record(key)?.path == state.session else { throw error }
            throw AdminError(
                error, after: AdminError.IncompleteUpload(receivedBytes: state.receivedBytes, totalBytes: state.total))
        }
    }

    /// The state of the upload.
    private struct State {
        let total: UInt64
        /// Nil before there is a session.
        var session: String?
        /// Where to continue; nil if the server must be asked.
        var offset: UInt64? = 0
        /// The number of bytes that are certainly on the server.
        var receivedBytes: UInt64 = 0
        var failures = 0
        /// What the server gave as reasons, which the user knows.
        var reasons: Set<String> = []
        /// Whether an earlier run began the upload, and the user does not know its progress yet.
        var isResumed = false
        /// Whether a session was already lost once.
        var hasRestarted = false

        init(total: UInt64) { self.total = total }
    }

    private func send(_ state: inout State, _ key: String) throws(AdminError) -> UploadResource {
        while true {
            let session = if let known = state.session { known } else { try begin(&state, key) }
            let response: TransportResponse
            do throws(AdminError) {
                response = try client.responseWithoutRetry(try request(session, state))
            } catch {
                guard error.transportError?.isRetryable == true else { throw error }
                try retryLater(&state, error, seconds: nil)
                continue
            }
            switch UploadSessionStatus(response, total: state.total, nowSeconds: Timestamp.now.seconds) {
            case .finished:
                progress(state.total, state.total)
                return try AdminClient.decode(UploadResource.self, response)
            case .received(let bytes):
                if state.isResumed { reportResume(bytes, &state) }
                try advance(&state, to: bytes)
            case .busy(let seconds): try retryLater(&state, AdminError(response), seconds: seconds)
            case .malformedResponse:
                let error = AdminError(
                    .malformedResponse, "The server's answer to a part of the file is not readable.")
                try retryLater(&state, error, seconds: nil)
            case .gone:
                records?.remove(key)
                guard !state.hasRestarted else { throw AdminError(response) }
                client.onNotice(.uploadForgotten)
                state.session = nil
                state.isResumed = false
                state.hasRestarted = true
            case .refused:
                // With other credentials, or with more free space, it can continue.
                if ![401, 403, 507].contains(response.status) { records?.remove(key) }
                throw AdminError(response)
            }
        }
    }

    private func begin(_ state: inout State, _ key: String) throws(AdminError) -> String {
        var request = AdminRequest(
            UploadCalls.send, [try client.project()], query: [("name", name), ("resumable", "true")])
        request.headers = [("X-Upload-Content-Length", "\(file.size)")]
        request.isIdempotent = true
        let response = try client.response(request)
        guard (200...299).contains(response.status) else { throw AdminError(response) }
        guard let location = response.headers["Location"],
            let path = UploadSessionPath.path(location: location, base: client.url)
        else { throw AdminError(.malformedResponse, "The server's answer does not say where to send the file.") }
        state.session = path
        state.offset = 0
        state.receivedBytes = 0
        do {
            try records?.save(UploadRecords.Record(path: path), key)
        } catch {
            client.onNotice(.uploadNotRecorded(error))
        }
        return path
    }

    private func request(_ session: String, _ state: State) throws(AdminError) -> AdminRequest {
        var request = AdminRequest(
            method: "PUT", path: session, headers: [(FileUploader.hashHeader, file.sha256)],
            contentType: "application/octet-stream", isIdempotent: true)
        guard let offset = state.offset, offset < state.total else {
            request.headers.append(("Content-Range", ContentRange.statusQuery(total: state.total)))
            return request
        }
        let count = Int(min(UInt64(partBytes), state.total - offset))
        request.headers.append(
            ("Content-Range", ContentRange.chunk(offset: offset, count: count, total: state.total)))
        request.body = .bytes(try file.read(at: offset, count: count))
        let (progress, total) = (progress, state.total)
        request.uploadProgress = { sent, _ in progress(offset + sent, total) }
        return request
    }

    private func advance(_ state: inout State, to bytes: UInt64) throws(AdminError) {
        let asked = state.offset == nil
        let isProgress = bytes > state.receivedBytes
        state.offset = bytes
        state.receivedBytes = bytes
        progress(bytes, state.total)
        if isProgress {
            state.failures = 0
        } else if !asked || bytes == state.total {
            // The part did not count, or all parts have arrived and the server does not describe the file.
            let error = AdminError(.malformedResponse, "The server does not accept more of the file.")
            try retryLater(&state, error, seconds: nil)
        }
    }

    private func reportResume(_ bytes: UInt64, _ state: inout State) {
        state.isResumed = false
        client.onNotice(.uploadResumed(receivedBytes: bytes, totalBytes: state.total))
    }

    /// Waits, and then asks the server.
    private func retryLater(_ state: inout State, _ error: AdminError, seconds: Double?) throws(AdminError) {
        state.failures += 1
        guard state.failures < Self.failureLimit else { throw error }
        let isNews =
            error.status == nil
            ? state.failures == Self.noticeAfterFailures : state.reasons.insert(error.message).inserted
        if isNews { client.onNotice(.uploadRetried(error)) }
        client.sleep(min(seconds ?? RetryPolicy.backoffSeconds(state.failures), RetryPolicy.longestPauseSeconds))
        state.offset = nil
    }
}

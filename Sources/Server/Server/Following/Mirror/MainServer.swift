import HearthCalls
import HearthConcurrency
import HearthCrypto
import HearthManagement
import HearthTransport
import HearthWire

/// The calls of a follower. Each blocks its thread.
struct MainServer: Sendable {
    let url: String
    private let token: String
    private let transport: any Transport
    private let cancellation: Cancellation

    /// A state may have this many bytes.
    private static let stateBytes: UInt64 = 256 << 20

    init(url: String, token: String, transport: any Transport, cancellation: Cancellation) {
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.token = token
        self.transport = transport
        self.cancellation = cancellation
    }

    /// An answer to the question for the state.
    struct Answer {
        /// Nil if it did not change.
        let state: MirrorBodies.State?
        let etag: String
        let installationCount: Int
    }

    func state(etag: String?) throws(MirrorProblem) -> Answer {
        var request = request(MirrorCalls.records.path.filled())
        if let etag { request.headers.append(("If-None-Match", etag)) }
        request.maxResponseBytes = Self.stateBytes
        request.totalTimeoutSeconds = 300
        let response = try send(request)
        guard let newTag = response.headers["ETag"], newTag.utf8.count <= 200,
            let count = response.headers[MirrorBodies.installationsHeader].flatMap({ Int($0) }), count >= 0
        else { throw Self.notHearth }
        if response.status == 304, let etag { return Answer(state: nil, etag: etag, installationCount: count) }
        guard response.status == 200 else { throw Self.problem(response) }
        do {
            let state = try WireJSON.decode(MirrorBodies.State.self, from: response.body)
            return Answer(state: state, etag: newTag, installationCount: count)
        } catch {
            throw MirrorProblem(.malformed, "The state of \(url) cannot be read: \(error)")
        }
    }

    func installations(after cursor: (created: Int64, project: String, fid: String)?) throws(MirrorProblem)
        -> [MirrorBodies.Installation]
    {
        // Ids have characters that need no encoding.
        let query = cursor.map { "?created=\($0.created)&project=\($0.project)&fid=\($0.fid)" } ?? ""
        var request = request(MirrorCalls.installations.path.filled() + query)
        request.totalTimeoutSeconds = Self.pageSeconds
        let response = try send(request)
        guard response.status == 200 else { throw Self.problem(response) }
        guard let page = try? WireJSON.decode(MirrorBodies.Installations.self, from: response.body),
            page.installations.count <= MirrorBodies.Installations.pageLimit,
            page.installations.allSatisfy(\.isPlausible)
        else { throw MirrorProblem(.malformed, "The list of installations of \(url) cannot be read") }
        return page.installations
    }

    func add(_ installations: [MirrorBodies.Installation]) throws(MirrorProblem) {
        var request = request(MirrorCalls.addInstallations.path.filled())
        request.method = "POST"
        // Calls of devices wait for it.
        request.totalTimeoutSeconds = Self.addSeconds
        request.headers.append(("Content-Type", "application/json"))
        guard let body = try? WireJSON.encode(MirrorBodies.Installations(installations: installations)) else {
            throw MirrorProblem(.storage, "The installations cannot be encoded")
        }
        request.body = .bytes(body)
        let response = try send(request)
        guard response.status == 200 else { throw Self.problem(response) }
    }

    /// Gets the bytes of a file from `offset` on. The transfer fails if there are more than `size` in all.
    func file(
        _ digest: SHA256Digest, from offset: UInt64, size: UInt64,
        _ take: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) throws(MirrorProblem) {
        var request = request(MirrorCalls.file.path.filled(digest.hex))
        if offset > 0 { request.headers.append(("Range", "bytes=\(offset)-")) }
        request.maxResponseBytes = size - offset
        var refusal: MirrorProblem?
        do throws(TransportError) {
            let response = try transport.send(
                request,
                onHead: { head in
                    guard head.status == (offset > 0 ? 206 : 200) else {
                        let problem = Self.problem(TransportResponse(status: head.status, headers: head.headers))
                        refusal = problem
                        throw problem
                    }
                    let range = "bytes \(offset)-\(size - 1)/\(size)"
                    guard offset == 0 || head.headers["Content-Range"] == range else {
                        let problem = MirrorProblem(.malformed, "\(url) sent another part of a file than asked for")
                        refusal = problem
                        throw problem
                    }
                }, onBody: take)
            _ = response
        } catch {
            if let refusal { throw refusal }
            if let problem = error.cause as? MirrorProblem { throw problem }
            guard error.code != .tooLarge else {
                throw MirrorProblem(.wrongBytes, "\(url) sent more bytes of the file \(digest.hex) than it has")
            }
            throw MirrorProblem(.unreachable, "\(error)")
        }
    }

    /// How long a page of installations may take.
    private static let pageSeconds = 300.0
    /// How long the main server may take to store a page of them.
    private static let addSeconds = 30.0

    private func request(_ path: String) -> TransportRequest {
        TransportRequest(
            url: url + path, headers: [("Authorization", "Bearer \(token)")], cancellation: cancellation)
    }

    private func send(_ request: TransportRequest) throws(MirrorProblem) -> TransportResponse {
        let response: TransportResponse
        do throws(TransportError) {
            response = try transport.send(request)
        } catch {
            let kind: MirrorProblem.Kind = [.tooLarge, .badResponse].contains(error.code) ? .malformed : .unreachable
            throw MirrorProblem(kind, "\(error)")
        }
        guard response.status < 400 else { throw Self.problem(response) }
        return response
    }

    private static func problem(_ response: TransportResponse) -> MirrorProblem {
        switch response.status {
        case 401, 403:
            MirrorProblem(
                .refused,
                "The main server refuses the token (\(response.status)). Make one: hearth keys token create NAME --server --role mirror"
            )
        case 404:
            MirrorProblem(
                .malformed,
                "The main server does not have what was asked for (404); is it a Hearth server of this version?")
        default: MirrorProblem(.unreachable, "The main server answered with \(response.status)")
        }
    }

    private static let notHearth = MirrorProblem(
        .malformed, "The answer is not that of a main server; is it a Hearth server of this version?")
}

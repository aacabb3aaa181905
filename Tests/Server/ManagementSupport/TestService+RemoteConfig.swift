import Dispatch
import HearthCatalog
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthWire
import Synchronization
import Testing

@testable import HearthHTTP

/// Remote Config's calls.
extension TestService {
    /// A management call to `/v1/projects/{project}/{path}`.
    func config(
        _ method: HTTPMethod, _ path: String, _ json: String = "", ifMatch: String? = nil, as start: NewProject? = nil,
        token: String? = nil
    ) throws -> TestResponse {
        let start = start ?? a
        var headers: HTTPHeaders = ["Authorization": "Bearer \(try token ?? accessToken(start))"]
        headers["If-Match"] = ifMatch
        return try call(method, "/v1/projects/\(start.project.id)/\(path)", headers: headers, body: Array(json.utf8))
    }

    /// Puts a template whatever there is.
    func putTemplate(_ json: String, namespace: String = "firebase") throws {
        let answer = try config(.put, "namespaces/\(namespace)/remoteConfig", json, ifMatch: "*")
        try #require(answer.status == 200, "\(answer.text)")
    }

    /// A device's fetch with a body as it comes.
    func fetch(
        _ body: [UInt8], ifNoneMatch: String? = nil, project: String? = nil, tokenInHeader: Bool = true,
        headers more: HTTPHeaders = [:]
    ) throws -> TestResponse {
        var headers = more
        headers["x-goog-api-key"] = a.apiKey
        headers["x-ios-bundle-identifier"] = a.bundleID
        if tokenInHeader { headers["x-goog-firebase-installations-auth"] = try installationToken(a) }
        headers["If-None-Match"] = ifNoneMatch
        return try call(
            .post, "/v1/projects/\(project ?? a.project.id)/namespaces/firebase:fetch", headers: headers, body: body)
    }

    /// As the iOS client sends it, with these members behind its own.
    func fetchAsIOS(_ more: String = "", ifNoneMatch: String? = nil) throws -> TestResponse {
        try fetch(
            Array(
                "{app_instance_id:'\(Self.fid)', app_id:'\(a.apiKeyRecord.appID)', sdk_version:'11.0.0'\(more)}".utf8),
            ifNoneMatch: ifNoneMatch)
    }

    /// The body of a device's question for updates, as the iOS client sends it.
    static func updatesBody(lastKnown: String) -> String {
        "{project:'1', namespace:'firebase', lastKnownVersionNumber:'\(lastKnown)', appId:'x', sdkVersion:'11.0.0', "
            + "appInstanceId:'\(fid)'}"
    }

    /// What a device gets that asks for updates: a stream, or an answer that is a refusal.
    func listen(
        _ body: [UInt8], fid: String = TestService.fid, project: String? = nil, namespace: String = "firebase",
        headers more: HTTPHeaders? = nil, from address: String = "127.0.0.1"
    ) throws -> StreamReader {
        var headers: HTTPHeaders = [
            "x-goog-api-key": a.apiKey, "x-ios-bundle-identifier": a.bundleID,
            "x-goog-firebase-installations-auth": try services.installationTokens.issue(
                fid: fid, appID: a.apiKeyRecord.appID, projectNumber: a.project.number, nowSeconds: time.now.seconds),
        ]
        if let more { headers = more }
        let path = "/v1/projects/\(project ?? a.project.id)/namespaces/\(namespace):streamFetchInvalidations"
        let head = try RequestHead(
            method: .post, target: path, headers: headers, contentLength: UInt64(body.count),
            remoteAddress: address)
        switch handler.plan(for: head) {
        case .answer(let response):
            return StreamReader(response) { $0.end() }
        case .buffered(_, let handle):
            switch handle(head, body) {
            case .respond(let response): return StreamReader(response) { $0.end() }
            case .stream(let response, let start): return StreamReader(response, start)
            case .deferred: throw UnexpectedPlan()
            }
        case .streaming: throw UnexpectedPlan()
        }
    }

    func listen(lastKnown: Int = 0, fid: String = TestService.fid) throws -> StreamReader {
        try listen(Array(Self.updatesBody(lastKnown: String(lastKnown)).utf8), fid: fid)
    }

    /// An installation of a project, from an address.
    func listen(
        of start: NewProject, fid: String = TestService.fid, from address: String = "127.0.0.1"
    ) throws -> StreamReader {
        let headers: HTTPHeaders = [
            "x-goog-api-key": start.apiKey, "x-ios-bundle-identifier": start.bundleID,
            "x-goog-firebase-installations-auth": try services.installationTokens.issue(
                fid: fid, appID: start.apiKeyRecord.appID, projectNumber: start.project.number,
                nowSeconds: time.now.seconds),
        ]
        return try listen(
            Array(Self.updatesBody(lastKnown: "0").utf8), project: start.project.id, headers: headers, from: address)
    }

    struct UnexpectedPlan: Error {}
}

/// A device's end of an answer that goes on: reads it piece by piece, as the connection would.
final class StreamReader: Sendable {
    let answer: TestResponse
    private let connection: Connection
    private let body: StreamedBody

    /// Suspended when there is nothing to send, and awake when there is.
    private final class Connection: StreamedConnection {
        private let isCut = Atomic<Bool>(false)
        private let woken = DispatchSemaphore(value: 0)

        var isHungUp: Bool { isCut.load(ordering: .relaxed) }

        func suspend() {}
        func resume() { woken.signal() }
        func hangUp() { isCut.store(true, ordering: .relaxed) }
        func wait() -> Bool { woken.wait(timeout: .now() + 60) == .success }
    }

    init(_ response: Response, _ start: (ResponseStream) -> Void) {
        answer = TestResponse(response, bodyBytesRead: 0)
        let connection = Connection()
        self.connection = connection
        body = StreamedBody(connection)
        start(ResponseStream(body))
    }

    /// The next piece, which another thread may write; nil where the stream has ended.
    func next() -> String? {
        while true {
            switch step() {
            case .piece(let text): return text
            case .end: return nil
            case .nothing: if !connection.wait() { return nil }
            }
        }
    }

    /// All that is there now; nothing is waited for.
    var pieces: [String] {
        var pieces: [String] = []
        while case .piece(let text) = step() { pieces.append(text) }
        return pieces
    }

    func leave() { body.finish() }

    private enum Event { case piece(String), nothing, end }

    private func step() -> Event {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            switch body.next(into: buffer) {
            case .send(let count): .piece(String(decoding: buffer.prefix(count), as: UTF8.self))
            case .wait: .nothing
            case .end, .close: .end
            }
        }
    }
}

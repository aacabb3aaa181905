import Foundation
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthValidation
import HearthWire
import Synchronization
import Testing

/// The calls that tools and devices make.
extension TestService {
    static let fid = "cAAAAAAAAAAAAAAAAAAAA1"

    /// An access token for the project's own account.
    func accessToken(_ start: NewProject) throws -> String {
        try services.accessTokens.issue(for: start.accountKey, nowSeconds: time.now.seconds)
    }

    /// What the server would write down of an installation of the project's app.
    static func installation(_ start: NewProject) -> Installation {
        Installation(
            projectID: start.project.id, fid: fid, appID: start.apiKeyRecord.appID,
            createdMicroseconds: TestClock.start.microseconds)
    }

    func installationToken(_ start: NewProject) throws -> String {
        try services.installationTokens.issue(
            fid: Self.fid, appID: start.apiKeyRecord.appID, projectNumber: start.project.number,
            nowSeconds: time.now.seconds)
    }

    /// A management call to `/v1beta2/projects/{project}/{path}` by the project's own account.
    func admin(_ method: HTTPMethod, _ path: String, _ json: String = "", as start: NewProject? = nil) throws
        -> TestResponse
    {
        let start = start ?? a
        return try call(
            method, "/v1beta2/projects/\(start.project.id)/\(path)",
            headers: ["Authorization": "Bearer \(try accessToken(start))", "Content-Type": "application/json"],
            body: Array(json.utf8))
    }

    func upload(
        _ contents: String, name: String = "model.tflite", as start: NewProject? = nil
    ) throws -> TestResponse {
        let start = start ?? a
        let answer = try call(
            .post, "/hearth/v1/projects/\(start.project.id)/uploads?name=\(name)",
            headers: ["Authorization": "Bearer \(try accessToken(start))"], body: Array(contents.utf8), pieceBytes: 3)
        uploads.withLock { $0["\(start.project.id)/\(name)"] = answer.string("gcsTfliteUri") }
        return answer
    }

    /// Where the last `upload` of that name put its file; nowhere when there was none.
    func uri(_ name: String = "model.tflite", of start: NewProject? = nil) -> String {
        let project = (start ?? a).project.id
        return uploads.withLock { $0["\(project)/\(name)"] } ?? "gs://\(project).hearth/never/\(name)"
    }

    /// A model, with a file where `contents` are given; returns its id.
    @discardableResult
    func makeModel(
        _ displayName: String, _ contents: String? = nil, isPublished: Bool = false, tags: [String] = [],
        as start: NewProject? = nil
    ) throws -> String {
        var file = ""
        if let contents {
            #expect(try upload(contents, name: displayName, as: start).status == 200)
            file = #","tfliteModel":{"gcsTfliteUri":"\#(uri(displayName, of: start))"}"#
        }
        let answer = try admin(
            .post, "models",
            #"{"displayName":"\#(displayName)","tags":\#(tags),"state":{"published":\#(isPublished)}\#(file)}"#,
            as: start)
        let name = try #require(answer.string("response.name"), "\(answer.text)")
        return try #require(name.split(separator: "/").last.map(String.init))
    }

    func publish(_ id: String, _ isPublished: Bool = true) throws -> TestResponse {
        try admin(
            .patch, "models/\(id)?updateMask=state.published",
            #"{"name":"projects/project-a/models/\#(id)","state":{"published":\#(isPublished)}}"#)
    }

    /// A device's question for a model, as the iOS client asks it.
    func info(
        _ displayName: String, ifNoneMatch: String? = nil, host: String = "127.0.0.1:8080",
        from address: String = "127.0.0.1"
    ) throws -> TestResponse {
        var headers: HTTPHeaders = [
            "x-goog-firebase-installations-auth": try installationToken(a), "x-ios-bundle-identifier": a.bundleID,
            "Host": host,
        ]
        headers["If-None-Match"] = ifNoneMatch
        return try call(
            .get, "/v1beta2/projects/project-a/models/\(displayName):download?key=\(a.apiKey)", headers: headers,
            from: address)
    }

    /// Path and query of the link to the model's bytes.
    func link(_ displayName: String) throws -> String {
        let uri = try #require(try info(displayName).string("downloadUri"))
        return String(uri.dropFirst("http://127.0.0.1:8080".count))
    }
}

/// Hearth's own calls about versions and releases, and slow checks.
extension TestService {
    /// A call to `/hearth/v1/projects/{project}/{path}` by the project's own account.
    func hearthAdmin(
        _ method: HTTPMethod, _ path: String, _ json: String = "", as start: NewProject? = nil
    ) throws -> TestResponse {
        let start = start ?? a
        return try hearth(method, "projects/\(start.project.id)/\(path)", json, token: accessToken(start))
    }

    /// Uploads a file and makes a version of it that is not released.
    @discardableResult
    func makeVersion(_ id: String, _ contents: String) throws -> TestResponse {
        _ = try upload(contents, name: "version")
        return try hearthAdmin(.post, "models/\(id)/versions", #"{"source":"\#(uri("version"))"}"#)
    }

    /// Waits until there is a verdict on the file with these contents.
    func waitForCheck(_ contents: String) {
        let done = DispatchSemaphore(value: 0)
        services.validation.whenDone(SHA256Hasher.hash(contents.utf8).hex, withinSeconds: 86_400) { _ in done.signal() }
        done.wait()
    }

    /// The hash that a device with that id is given; nil when it gets nothing.
    func delivered(_ displayName: String) throws -> String? { try info(displayName).headers["ETag"] }
}

/// The hash of a file with these contents.
func hash(_ contents: String) -> String { SHA256Hasher.hash(contents.utf8).hex }

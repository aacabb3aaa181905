import HearthAPI
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthWire
import Testing

/// Remote Config's calls.
extension TestService {
    /// A management call to `/v1/projects/{project}/{path}`.
    func config(
        _ method: HTTPMethod, _ path: String, _ json: String = "", ifMatch: String? = nil, as start: FirstStart? = nil,
        token: String? = nil
    ) throws -> Answer {
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
    ) throws -> Answer {
        var headers = more
        headers["x-goog-api-key"] = a.apiKey
        headers["x-ios-bundle-identifier"] = a.bundleID
        if tokenInHeader { headers["x-goog-firebase-installations-auth"] = try installationToken(a) }
        headers["If-None-Match"] = ifNoneMatch
        return try call(
            .post, "/v1/projects/\(project ?? a.project.id)/namespaces/firebase:fetch", headers: headers, body: body)
    }

    /// As the iOS client sends it, with these members behind its own.
    func fetchLoosely(_ more: String = "", ifNoneMatch: String? = nil) throws -> Answer {
        try fetch(
            Array(
                "{app_instance_id:'\(Self.fid)', app_id:'\(a.apiKeyRecord.appID)', sdk_version:'11.0.0'\(more)}".utf8),
            ifNoneMatch: ifNoneMatch)
    }
}

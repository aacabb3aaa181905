import Foundation
import HearthLocalCommands
import HearthTransport
import HearthWire

/// Templates of Remote Config, through the management API that existing tools use as well.
extension AdminClient {
    /// - Parameter version: nil for the active one.
    func template(_ namespace: RemoteConfigNamespace, version: Int64? = nil) throws -> FetchedTemplate {
        try FetchedTemplate(
            response(.get(configPath(namespace), query: [("versionNumber", version.map(String.init))])))
    }

    /// - Parameters:
    ///   - shown: the tag of the version that the caller looked at, or `*`.
    ///   - isCheck: whether only to ask if the template may be.
    func putTemplate(
        _ template: RemoteConfigTemplate, _ namespace: RemoteConfigNamespace, ifMatch: String,
        validateOnly: Bool = false
    ) throws -> FetchedTemplate {
        var request = try AdminRequest.change(
            "PUT", configPath(namespace), query: [("validateOnly", validateOnly ? "true" : nil)], body: template)
        request.headers.append(("If-Match", ifMatch))
        return try FetchedTemplate(response(request))
    }

    /// A new version with the content of an old one.
    func rollBackTemplate(_ namespace: RemoteConfigNamespace, to version: Int64) throws -> FetchedTemplate {
        try FetchedTemplate(
            response(.change("POST", configPath(namespace) + ":rollback", body: ["versionNumber": String(version)])))
    }

    /// Newest first, `limit` at most.
    func templateVersions(_ namespace: RemoteConfigNamespace, limit: Int) throws -> [RemoteConfigVersion] {
        struct Page: Decodable {
            var versions: [RemoteConfigVersion]?
            var nextPageToken: String?
        }
        var versions: [RemoteConfigVersion] = []
        var token: String?
        repeat {
            let wanted = String(min(limit - versions.count, 300))
            let page: Page = try call(
                .get(configPath(namespace) + ":listVersions", query: [("pageSize", wanted), ("pageToken", token)]))
            versions += page.versions ?? []
            token = page.nextPageToken
        } while token != nil && versions.count < limit
        return Array(versions.prefix(limit))
    }

    /// The defaults as a document that apps ship with.
    func templateDefaults(_ namespace: RemoteConfigNamespace, format: String) throws -> [UInt8] {
        let response = try response(
            .get(configPath(namespace) + ":downloadDefaults", query: [("format", format)]))
        guard response.status == 200 else { throw AdminErrorResponse(response) }
        return response.body
    }

    private func configPath(_ namespace: RemoteConfigNamespace) throws -> String {
        "/v1/projects/\(AdminRequest.encoded(try project()))/namespaces/\(namespace.rawValue)/remoteConfig"
    }
}

/// A version of a template, and the tag by which a change says that it was looked at.
struct FetchedTemplate {
    let template: RemoteConfigTemplate
    let etag: String
    /// 0 where there is no template yet.
    let version: Int64

    init(_ response: TransportResponse) throws {
        template = try AdminClient.decode(RemoteConfigTemplate.self, response)
        guard let etag = response.headers["ETag"], let version = etag.split(separator: "-").last.flatMap({ Int64($0) })
        else { throw CommandFailure("The server's answer has no ETag; is it a Hearth server?") }
        self.etag = etag
        self.version = version
    }

    /// The tag that another version of the same template has.
    func etag(ofVersion version: Int64) -> String {
        etag.split(separator: "-").dropLast().joined(separator: "-") + "-\(version)"
    }
}

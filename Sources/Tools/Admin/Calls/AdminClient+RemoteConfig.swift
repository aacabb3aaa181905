public import HearthCalls
import HearthTransport
public import HearthWire

/// Templates of Remote Config, by the management API that existing tools use, too.
extension AdminClient {
    /// A template of the project.
    ///
    /// - Parameters:
    ///   - namespace: which clients the template is for.
    ///   - version: its number, 1 or more; nil for the active version.
    /// - Throws: ``AdminError``.
    public func template(
        _ namespace: RemoteConfigNamespace, version: Int64? = nil
    ) throws(AdminError) -> FetchedTemplate {
        try FetchedTemplate(
            response(
                AdminRequest(
                    Self.calls.get, [project(), namespace.rawValue],
                    query: [("versionNumber", version.map(String.init))])))
    }

    /// Makes a template the active version.
    ///
    /// - Parameters:
    ///   - ifMatch: the tag of the version that the template replaces, so that no other user's change gets lost; `*` replaces any
    ///     version.
    ///   - validateOnly: whether to check the template and change nothing.
    /// - Throws: ``AdminError``; `refused` with status 412 if another version than that of `ifMatch` is active.
    public func putTemplate(
        _ template: RemoteConfigTemplate, _ namespace: RemoteConfigNamespace, ifMatch: String,
        validateOnly: Bool = false
    ) throws(AdminError) -> FetchedTemplate {
        var request = try AdminRequest(
            Self.calls.put, [project(), namespace.rawValue], query: [("validateOnly", validateOnly ? "true" : nil)],
            body: template)
        request.headers.append(("If-Match", ifMatch))
        return try FetchedTemplate(response(request))
    }

    /// Makes a new version with the content of an old one.
    ///
    /// - Throws: ``AdminError``.
    public func rollBackTemplate(
        _ namespace: RemoteConfigNamespace, to version: Int64
    ) throws(AdminError) -> FetchedTemplate {
        try FetchedTemplate(
            response(
                AdminRequest(
                    Self.calls.rollBack, [project(), namespace.rawValue], body: ["versionNumber": String(version)])))
    }

    /// Puts a version of another service's template into the history, with its own number, time and author.
    ///
    /// A version below the active one changes nothing for devices. The first version of a project becomes the active one.
    ///
    /// - Parameters:
    ///   - template: a template with its version.
    ///   - activate: whether the version may replace the active one, if its number is higher.
    /// - Throws: ``AdminError``; `refused` with `ALREADY_EXISTS` if another version has this number.
    public func importTemplateVersion(
        _ template: RemoteConfigTemplate, _ namespace: RemoteConfigNamespace, activate: Bool = false
    ) throws(AdminError) -> TemplateImportBodies.Result {
        var request = try AdminRequest(
            Self.calls.importVersion, [project(), namespace.rawValue], query: [("activate", activate ? "true" : nil)],
            body: template)
        // The version has its own number, so that a second call changes nothing.
        request.isIdempotent = true
        return try answer(to: request)
    }

    /// The template's versions, newest first.
    ///
    /// - Parameter limit: the most versions, 1 or more.
    /// - Throws: ``AdminError``.
    public func templateVersions(
        _ namespace: RemoteConfigNamespace, limit: Int
    ) throws(AdminError) -> [RemoteConfigVersion] {
        let values = [try project(), namespace.rawValue]
        return try items(of: TemplateVersionList.self, limit: limit, pageSize: 300) { page in
            AdminRequest(Self.calls.listVersions, values, query: page)
        }
    }

    /// The parameters' default values as a document for apps.
    ///
    /// - Parameter format: `XML`, `PLIST` or `JSON`.
    /// - Returns: the document's bytes.
    /// - Throws: ``AdminError``.
    public func templateDefaults(_ namespace: RemoteConfigNamespace, format: String) throws(AdminError) -> [UInt8] {
        let response = try response(
            AdminRequest(
                Self.calls.downloadDefaults, [project(), namespace.rawValue], query: [("format", format)]))
        guard response.status == 200 else { throw AdminError(response) }
        return response.body
    }

    /// What a device would get of a template, and why. Changes nothing.
    ///
    /// - Throws: ``AdminError``.
    public func evaluateTemplate(
        _ namespace: RemoteConfigNamespace, _ request: TemplateEvaluationBodies.Request
    ) throws(AdminError) -> TemplateEvaluationBodies.Result {
        var request = try AdminRequest(
            EvaluationCalls.ofNamespace, [project(), namespace.rawValue], body: request)
        request.isIdempotent = true
        return try answer(to: request)
    }

    private static var calls: GoogleTemplateCalls { .ofNamespace }
}

/// The clients of a template.
public enum RemoteConfigNamespace: String, CaseIterable, Sendable {
    /// Devices. The server evaluates the template for them.
    case client = "firebase"
    /// Programs with an Admin SDK, which evaluate the template themselves.
    case server = "firebase-server"
}

/// A version of a template, and the tag that identifies it.
public struct FetchedTemplate: Sendable {
    /// The template.
    public let template: RemoteConfigTemplate
    /// The tag, for the `ifMatch` of ``AdminClient/putTemplate(_:_:ifMatch:validateOnly:)``.
    public let etag: String
    /// The number of the version; 0 if there is no template yet, or if the template was only validated.
    public let version: Int64

    init(_ response: TransportResponse) throws(AdminError) {
        template = try AdminClient.decode(RemoteConfigTemplate.self, response)
        guard let etag = response.headers["ETag"] else {
            throw AdminError(.malformedResponse, "The server's answer has no ETag; is it a Hearth server?")
        }
        self.etag = etag
        version = template.version?.versionNumber.flatMap { Int64($0) } ?? 0
    }

    /// The tag of another version of the same template.
    public func etag(ofVersion version: Int64) -> String {
        etag.split(separator: "-").dropLast().joined(separator: "-") + "-\(version)"
    }
}

/// A page of the list of a template's versions.
private struct TemplateVersionList: AdminPage {
    var versions: [RemoteConfigVersion]?
    var nextPageToken: String?

    var items: [RemoteConfigVersion]? { versions }
}

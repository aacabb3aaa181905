import HearthCatalog
import HearthHTTP
import HearthRemoteConfigTemplates
import HearthWire

/// How a template's versions look on the wire.
enum TemplatePresentation {
    /// The template with its version. Before the first version it is the empty template of version 0.
    static func response(_ version: TemplateVersion?, _ project: Project) throws -> Response {
        try response(template(version), TemplateETag.tag(projectNumber: project.number, version: version?.number ?? 0))
    }

    static func response(_ template: RemoteConfigTemplate, _ etag: String) throws -> Response {
        var response = Response.json(try WireJSON.encode(template))
        response.headers["ETag"] = etag
        return response
    }

    static func template(_ version: TemplateVersion?) throws -> RemoteConfigTemplate {
        guard let version else { return RemoteConfigTemplate() }
        var template = try version.template()
        template.version = self.version(version)
        return template
    }

    static func version(_ version: TemplateVersion) -> RemoteConfigVersion {
        var shown = RemoteConfigVersion(description: version.description.isEmpty ? nil : version.description)
        shown.versionNumber = String(version.number)
        shown.updateTime = Timestamp(microseconds: version.createdMicroseconds).rfc3339(fractionDigits: 6)
        shown.updateUser = RemoteConfigVersion.User(email: version.createdBy)
        shown.updateOrigin = version.origin.rawValue
        shown.updateType = version.kind.rawValue
        shown.rollbackSource = version.rollbackSource.map { String($0) }
        return shown
    }
}

/// A version of a template.
struct TemplateKey: Hashable, Sendable {
    let project: String
    let namespace: String
    let number: Int64
    let createdMicroseconds: Int64

    init(_ version: TemplateVersion) {
        project = version.projectID
        namespace = version.namespace
        number = version.number
        createdMicroseconds = version.createdMicroseconds
    }
}

/// What `serverRemoteConfig` answers: conditions as trees, which the Admin SDKs evaluate themselves.
struct ServerTemplateBody: Encodable {
    /// A condition with its name.
    struct NamedCondition: Encodable {
        let name: String
        let condition: ServerCondition
    }

    let parameters: [String: RemoteConfigParameter]
    let conditions: [NamedCondition]
    let version: RemoteConfigVersion?
}

/// Parameters by key, whatever group they are in.
extension RemoteConfigTemplate {
    func parameter(forKey key: String) -> RemoteConfigParameter? {
        parameters?[key] ?? group(ofKey: key).flatMap { parameterGroups?[$0]?.parameters?[key] }
    }

    /// Puts the parameter where its key is already, or outside of the groups.
    mutating func put(_ parameter: RemoteConfigParameter, forKey key: String) {
        if let group = group(ofKey: key) {
            parameterGroups?[group]?.parameters?[key] = parameter
        } else {
            parameters = parameters ?? [:]
            parameters?[key] = parameter
        }
    }

    mutating func set(_ value: RemoteConfigParameterValue, forKey key: String) {
        var parameter = parameter(forKey: key) ?? RemoteConfigParameter()
        parameter.defaultValue = value
        put(parameter, forKey: key)
    }

    private func group(ofKey key: String) -> String? {
        parameterGroups?.first { $0.value.parameters?[key] != nil }?.key
    }
}

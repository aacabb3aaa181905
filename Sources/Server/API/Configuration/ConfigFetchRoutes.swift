import HearthCatalog
import HearthConfiguration
import HearthCrypto
import HearthExperiments
import HearthHTTP
import HearthIdentity
import HearthTargeting
import HearthWire

/// What devices ask for their configuration with: `POST …/namespaces/firebase:fetch`, in the shapes that existing clients
/// really send.
struct ConfigFetchRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    var routes: [Route] {
        [
            Route(.post, "v1/projects/{project}/namespaces/{namespace}:fetch") { head, path in
                context.buffered(
                    head, check: { try context.keyed(head, project: context.projectID(path["project"])) }
                ) { call, head, bytes in
                    guard path["namespace"] == TemplateNamespace.client.rawValue else { throw APIError.notFound }
                    return try fetch(call, head, bytes)
                }
            }
        ]
    }

    private func fetch(_ keyed: KeyedCall, _ head: RequestHead, _ bytes: [UInt8]) throws -> Response {
        guard let body = FetchBody(try context.inflated(bytes)) else {
            throw APIError(.invalidArgument, "The body is not that of a fetch for a configuration.")
        }
        // Web clients send the token in the body only.
        let token = head.headers["x-goog-firebase-installations-auth"] ?? body.installationToken
        let call = try context.device(head, keyed, token: token)
        guard let template = call.part.template else {
            return try answer(
                ConfigFetchResponse(entries: nil, state: .noTemplate, templateVersion: "0"), call, head)
        }
        let facts = ConfigSignals.facts(body, head, call.installation, context.services)
        let assignments = call.part.experiments.assignments(of: facts, nowMicroseconds: call.now.microseconds)
        let variants = assignments.reduce(into: [String: String]()) { variants, own in
            variants[own.experiment.experiment.name] = own.experiment.experiment.variants[own.variant].name
        }
        var resolution = template.compiled.resolve(
            for: facts, nowMicroseconds: call.now.microseconds, variants: variants)
        for own in assignments {
            resolution.entries.merge(own.experiment.experiment.variants[own.variant].parameters) { _, new in new }
        }
        let rollouts = resolution.rollouts.sorted { $0.key < $1.key }.map {
            ConfigFetchResponse.RolloutMetadata(rolloutId: $0.key, variantId: "1", affectedParameterKeys: $0.value)
        }
        return try answer(
            ConfigFetchResponse(
                entries: resolution.entries, state: resolution.entries.isEmpty ? .emptyConfig : .update,
                templateVersion: String(template.number),
                experimentDescriptions: assignments.map { $0.experiment.descriptions[$0.variant] },
                rolloutMetadata: rollouts.isEmpty ? nil : rollouts), call, head)
    }

    /// Always 200: mobile clients take nothing else. What the device has already is `NO_CHANGE`, with all but the entries.
    private func answer(_ full: ConfigFetchResponse, _ call: DeviceCall, _ head: RequestHead) throws -> Response {
        let etag = try Self.etag(of: full, projectNumber: call.part.project.number)
        var shown = full
        if head.headers["If-None-Match"] == etag {
            shown.state = .noChange
            shown.entries = nil
        }
        var response = Response.json(try WireJSON.encode(shown))
        response.headers["ETag"] = etag
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    /// Of what this device gets, not of the template: a device may move into a condition while the template stays.
    private static func etag(of response: ConfigFetchResponse, projectNumber: Int64) throws -> String {
        let digest = SHA256Hasher.hash(try WireJSON.encode(response)).bytes.prefix(4)
        let number = Int32(bitPattern: digest.reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        return "etag-\(projectNumber)-firebase-fetch-\(number)"
    }
}

import HearthCatalog
import HearthConfiguration
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
        return try answer(call, ConfigSignals.facts(body, head, call.installation, context.services))
            .response(to: head, projectNumber: call.part.project.number)
    }

    private func answer(_ call: DeviceCall, _ facts: DeviceFacts) -> ConfigFetchAnswer {
        guard let template = call.part.template else {
            return ConfigFetchAnswer(state: .noTemplate, templateVersion: 0)
        }
        let assignments = call.part.experiments.assignments(of: facts, nowMicroseconds: call.now.microseconds)
        let variants = assignments.reduce(into: [String: String]()) { variants, own in
            variants[own.experiment.experiment.name] = own.experiment.experiment.variants[own.variant].name
        }
        var resolution = template.compiled.resolve(
            for: facts, nowMicroseconds: call.now.microseconds, variants: variants)
        for own in assignments {
            for entry in own.experiment.entries[own.variant] { resolution.replace(with: entry) }
        }
        return ConfigFetchAnswer(
            state: resolution.entries.isEmpty ? .emptyConfig : .update, templateVersion: template.number,
            entries: resolution.entries, experiments: assignments.map { $0.experiment.descriptions[$0.variant] },
            rollouts: resolution.rollouts)
    }
}

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
                context.outcome(
                    head, check: { try context.keyed(head, project: context.projectID(path["project"])) }
                ) { call, head, bytes in
                    guard path["namespace"] == TemplateNamespace.client.rawValue else { throw APIError.notFound }
                    return try fetch(call, head, bytes)
                }
            }
        ]
    }

    private func fetch(_ keyed: KeyedCall, _ head: RequestHead, _ bytes: [UInt8]) throws -> Outcome {
        guard let body = FetchBody(try context.inflated(bytes)) else {
            throw APIError(.invalidArgument, "The body is not that of a fetch for a configuration.")
        }
        // Web clients send the token in the body only.
        let token = head.headers["x-goog-firebase-installations-auth"] ?? body.installationToken
        let call = try context.device(head, keyed, token: token)
        let facts = ConfigSignals.facts(body, head, call.installation, context.services)
        let number = call.part.project.number
        guard let template = call.part.template else {
            return .respond(try Self.noTemplate.response(to: head, projectNumber: number))
        }
        if let content = template.content, Self.isQuick(content, call, facts) {
            return .respond(try answer(call, facts, content).response(to: head, projectNumber: number))
        }
        return try context.deviceInTurn(head, project: call.part.project.id) {
            call.part.experiments.read()
            return try answer(call, facts, context.serving.content(of: template))
                .response(to: head, projectNumber: number)
        }
    }

    private static let noTemplate = ConfigFetchAnswer(state: .noTemplate, templateVersion: 0)

    /// What the HTTP server's threads work out themselves: no more than a few milliseconds.
    private static let quickSteps = 2_000_000

    /// Whether the answer takes few steps, whatever the template's conditions say.
    private static func isQuick(_ content: ServedTemplate.Content, _ call: DeviceCall, _ facts: DeviceFacts) -> Bool {
        guard let compiled = content.compiled, let experiments = call.part.experiments.cost else { return false }
        return (compiled.cost + experiments).steps(bytes: facts.longestText) <= quickSteps
    }

    private func answer(_ call: DeviceCall, _ facts: DeviceFacts, _ content: ServedTemplate.Content)
        -> ConfigFetchAnswer
    {
        guard let compiled = content.compiled else { return Self.noTemplate }
        var subject = ConditionSubject(facts, nowMicroseconds: call.now.microseconds)
        let assignments = call.part.experiments.assignments(of: &subject)
        let variants = assignments.reduce(into: [String: String]()) { variants, own in
            variants[own.experiment.experiment.name] = own.experiment.experiment.variants[own.variant].name
        }
        var resolution = compiled.resolve(for: &subject, variants: variants)
        for own in assignments { resolution.replace(with: own.experiment.entries[own.variant]) }
        if subject.isExhausted, content.isFirstExhaustion() {
            context.log(
                """
                project '\(call.part.project.id)': a device got part of its template \(content.number) only: to ask all conditions takes \
                more than the \(ConditionLimits.fetchSteps) steps of one fetch; write shorter regular expressions, or fewer conditions
                """)
        }
        return ConfigFetchAnswer(
            state: resolution.entries.isEmpty ? .emptyConfig : .update, templateVersion: content.number,
            entries: resolution.entries, experiments: assignments.map { $0.experiment.descriptions[$0.variant] },
            rollouts: resolution.rollouts)
    }
}

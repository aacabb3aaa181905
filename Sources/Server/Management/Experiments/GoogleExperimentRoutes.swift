import HearthCalls
import HearthCatalog
import HearthExperiments
import HearthHTTP
import HearthRemoteConfigTemplates
import HearthRouting
import HearthStorage
import HearthWire

/// Experiments for Google's own tools: `…/namespaces/firebase/experiments`. These tools list, show and delete
/// experiments. All other calls are part of Hearth's own API.
struct GoogleExperimentRoutes {
    private let context: RouteContext
    private let editing: ExperimentEditing

    init(_ context: RouteContext) {
        self.context = context
        editing = ExperimentEditing(context: context)
    }

    var routes: [CallRoute] {
        [
            context.onResponse(GoogleExperimentCalls.list, checkPath: Self.checkNamespace) { try list($0) },
            context.onResponse(GoogleExperimentCalls.get) { try get($0) },
            context.onResponse(GoogleExperimentCalls.delete, checkPath: Self.checkNamespace) {
                (call: ChangeCall<NoBody>) in
                _ = try editing.delete(call)
                return .emptyObject
            },
        ]
    }

    @Sendable
    private static func checkNamespace(_ path: RouteParameters) throws {
        guard try TemplatePath(path).namespace == .client else {
            throw APIError(.notFound, "Experiments are in the namespace 'firebase'.")
        }
    }

    private func list(_ call: ReadCall) throws -> Response {
        let page = try PageQuery(call.query, limit: context.services.limits.pageSize)
        let all = try call.read { try $0.experiments(project: call.project.id) }
        let first = Int(clamping: page.after)
        let shown = all.dropFirst(first).prefix(page.size)
        let objects = shown.compactMap { try? GoogleExperiment($0, call.project) }
        return try context.json(
            GoogleExperiment.List(
                experiments: objects.isEmpty ? nil : objects,
                nextPageToken: first + shown.count < all.count ? String(first + shown.count) : nil))
    }

    private func get(_ call: ReadCall) throws -> Response {
        try Self.checkNamespace(call.path)
        let record = try call.read { try ExperimentEditing.record(call.path["experiment"], call.caller, $0) }
        return try context.json(GoogleExperiment(record, call.project))
    }
}

/// An experiment in the form that Google's tools print.
struct GoogleExperiment: Encodable {
    /// One page of experiments.
    struct List: Encodable {
        let experiments: [GoogleExperiment]?
        let nextPageToken: String?
    }

    /// What was planned.
    struct Definition: Encodable {
        let displayName: String
        let description: String?
        let service = "EXPERIMENT_SERVICE_REMOTE_CONFIG"
        let objectives: Objectives
        let variants: [Variant]
    }

    /// The metrics.
    struct Objectives: Encodable {
        let eventObjectives: [Objective]
    }

    /// One metric; the goal is the primary one.
    struct Objective: Encodable {
        /// The event that the metric counts, and how.
        struct Details: Encodable {
            let event: String
            let countType: String
        }

        let isPrimary: Bool
        let customObjectiveDetails: Details
    }

    /// A variant and its weight.
    struct Variant: Encodable {
        let name: String
        let weight: Int
    }

    let name: String
    let definition: Definition
    let state: String
    let startTime: String?
    let endTime: String?
    let lastUpdateTime: String

    init(_ record: ExperimentRecord, _ project: Project) throws {
        let experiment = try ExperimentCoding.experiment(record)
        name = "projects/\(project.number)/namespaces/firebase/experiments/\(record.name)"
        let objectives = experiment.metrics.enumerated().map { place, metric in
            Objective(
                isPrimary: place == 0,
                customObjectiveDetails: Objective.Details(
                    event: metric.event, countType: metric.kind == .conversion ? "NO_COUNT" : "EVENT_VALUE"))
        }
        definition = Definition(
            displayName: experiment.name, description: experiment.note.isEmpty ? nil : experiment.note,
            objectives: Objectives(eventObjectives: objectives),
            variants: experiment.variants.map { Variant(name: $0.name, weight: $0.weight) })
        switch experiment.state {
        case .draft: state = "DRAFT"
        case .running: state = "RUNNING"
        case .stopped: state = "STOPPED"
        case .rolledOut: state = "ROLLED_OUT"
        }
        startTime = experiment.startedMicroseconds.map(WireTime.text)
        endTime = experiment.endedMicroseconds.map(WireTime.text)
        lastUpdateTime = WireTime.text(
            experiment.endedMicroseconds ?? experiment.startedMicroseconds ?? record.createdMicroseconds)
    }
}

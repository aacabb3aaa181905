import HearthCatalog
import HearthExperiments
import HearthWire

/// An experiment in the form that Google's tools print.
struct ExperimentObject: Encodable {
    struct List: Encodable {
        let experiments: [ExperimentObject]?
        let nextPageToken: String?
    }

    struct Definition: Encodable {
        let displayName: String
        let description: String?
        let service = "EXPERIMENT_SERVICE_REMOTE_CONFIG"
        let objectives: Objectives
        let variants: [Variant]
    }

    struct Objectives: Encodable {
        let eventObjectives: [Objective]
    }

    struct Objective: Encodable {
        struct Details: Encodable {
            let event: String
            let countType: String
        }

        let isPrimary: Bool
        let customObjectiveDetails: Details
    }

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

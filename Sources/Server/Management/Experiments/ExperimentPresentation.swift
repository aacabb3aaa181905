import HearthCalls
import HearthCatalog
import HearthExperiments
import HearthRouting
import HearthWire

/// How experiments look on the wire.
enum ExperimentPresentation {
    /// - Throws: 400 for values without a meaning. `ExperimentValidator` decides whether the experiment is allowed.
    static func experiment(_ body: ExperimentBodies.Definition, project: String) throws(APIError) -> Experiment {
        let goal = try metric(body.goal, "goal")
        var guardrails: [Guardrail] = []
        for (index, guardrail) in (body.guardrails ?? []).enumerated() {
            guardrails.append(
                Guardrail(
                    metric: try metric(guardrail.metric, "guardrails.\(index).metric"), margin: guardrail.margin ?? 0))
        }
        let variants = body.variants.map {
            Experiment.Variant(
                name: $0.name, weight: $0.weight ?? 1, parameters: $0.parameters ?? [:], models: $0.models ?? [:])
        }
        var experiment = Experiment(projectID: project, name: body.name, variants: variants, goal: goal)
        experiment.guardrails = guardrails
        experiment.note = body.note ?? ""
        experiment.audience = body.audience ?? ""
        if let share = body.share { experiment.shareMillionths = try ReleaseValues.share(share, "share") }
        experiment.layer = body.layer
        experiment.plannedExposures = body.plannedExposures ?? experiment.plannedExposures
        experiment.errorRate = body.errorRate ?? experiment.errorRate
        experiment.stopsAtWinner = body.stopsAtWinner ?? experiment.stopsAtWinner
        return experiment
    }

    private static func metric(_ body: ExperimentBodies.Metric, _ field: String) throws(APIError) -> Metric {
        guard let kind = Metric.Kind(rawValue: body.kind) else {
            let text = "A metric's kind is \(Metric.Kind.allCases.map(\.rawValue).joined(separator: ", "))."
            throw .invalid("\(field).kind", text, message: text)
        }
        return Metric(
            event: body.event, kind: kind, isLowerBetter: body.lowerIsBetter ?? false, model: body.model)
    }

    static func body(_ record: ExperimentRecord, _ experiment: Experiment) -> ExperimentBodies.Experiment {
        var body = ExperimentBodies.Experiment(
            definition: definition(experiment), state: experiment.state.rawValue,
            createTime: WireTime.text(record.createdMicroseconds), createdBy: record.createdBy)
        body.startTime = experiment.startedMicroseconds.map(WireTime.text)
        body.endTime = experiment.endedMicroseconds.map(WireTime.text)
        body.winner = experiment.winner
        body.endReason = experiment.endReason
        return body
    }

    private static func definition(_ experiment: Experiment) -> ExperimentBodies.Definition {
        let variants = experiment.variants.map {
            ExperimentBodies.Variant(
                name: $0.name, weight: $0.weight, parameters: $0.parameters.isEmpty ? nil : $0.parameters,
                models: $0.models.isEmpty ? nil : $0.models)
        }
        var body = ExperimentBodies.Definition(name: experiment.name, variants: variants, goal: metric(experiment.goal))
        body.note = experiment.note.isEmpty ? nil : experiment.note
        body.audience = experiment.audience.isEmpty ? nil : experiment.audience
        body.share = Double(experiment.shareMillionths) / Double(Slots.count)
        body.layer = experiment.layer
        body.guardrails =
            experiment.guardrails.isEmpty
            ? nil
            : experiment.guardrails.map {
                ExperimentBodies.Guardrail(metric: metric($0.metric), margin: $0.margin)
            }
        body.plannedExposures = experiment.plannedExposures
        body.errorRate = experiment.errorRate
        body.stopsAtWinner = experiment.stopsAtWinner
        return body
    }

    static func metric(_ metric: Metric) -> ExperimentBodies.Metric {
        ExperimentBodies.Metric(
            event: metric.event, kind: metric.kind.rawValue, lowerIsBetter: metric.isLowerBetter ? true : nil,
            model: metric.model)
    }
}

import HearthCatalog
import HearthExperiments
import HearthRemoteConfigTemplates
import HearthStorage
package import HearthTargeting
import HearthWire
import Synchronization

/// A project's running experiments.
package final class ServedExperiments: Sendable {
    /// In the order of their names.
    package let all: [ServedExperiment]
    /// The experiments that vary a model, by its display name.
    private let byModel: [String: [ServedExperiment]]
    private let knownCost = AtomicLazyReference<Cost>()

    /// A class, so that the first thread to compute it can store it atomically.
    private final class Cost: Sendable {
        let cost: ConditionCost

        init(_ cost: ConditionCost) { self.cost = cost }
    }

    init(_ all: [ServedExperiment]) {
        self.all = all
        let models = Set(all.flatMap { $0.experiment.variants.flatMap(\.models.keys) })
        byModel = Dictionary(
            uniqueKeysWithValues: models.map { model in (model, all.filter { $0.varies(model: model) }) })
    }

    /// The experiments that the device takes part in, and the indices of its variants.
    ///
    /// - Parameter pins: those of the device.
    package func assignments(
        of subject: inout EvaluationContext, pins: DevicePins?
    ) -> [(experiment: ServedExperiment, variant: Int)] {
        all.compactMap { experiment in
            variant(in: experiment, of: &subject, pins: pins).map { (experiment, $0) }
        }
    }

    /// The device's experiment over a model, and its variant. At most one applies, because experiments over the same
    /// model share no devices.
    package func assignment(
        varying model: String, of subject: inout EvaluationContext, pins: DevicePins?
    ) -> (experiment: ServedExperiment, variant: Int)? {
        for experiment in varying(model: model) {
            if let variant = variant(in: experiment, of: &subject, pins: pins) { return (experiment, variant) }
        }
        return nil
    }

    /// What decides whether the device takes part in each of the experiments that vary the model.
    ///
    /// - Parameter subject: as for the assignment, with none of its steps used.
    package func explain(
        varying model: String, of subject: inout EvaluationContext, pins: DevicePins?
    ) -> [ExperimentFinding] {
        explain(varying(model: model), of: &subject, pins: pins)
    }

    /// What decides whether the device takes part in each experiment.
    package func explain(of subject: inout EvaluationContext, pins: DevicePins?) -> [ExperimentFinding] {
        explain(all, of: &subject, pins: pins)
    }

    private func explain(
        _ some: [ServedExperiment], of subject: inout EvaluationContext, pins: DevicePins?
    ) -> [ExperimentFinding] {
        some.map { served in
            let isIncluded = variant(in: served, of: &subject, pins: pins) != nil
            return ExperimentFinding(
                experiment: served.experiment,
                absence: isIncluded ? nil : absence(from: served, of: subject.device.installationID, pins: pins))
        }
    }

    /// Why a device has no variant of the experiment.
    private func absence(
        from served: ServedExperiment, of installationID: String, pins: DevicePins?
    ) -> ExperimentFinding.Absence {
        if let pinned = pins?.excluding(served) { return .pinned(to: pinned.experiment.name) }
        if served.experiment.owns(installationID) { return .audience }
        let owner = all.first { $0.experiment.overlaps(served.experiment) && $0.experiment.owns(installationID) }
        return owner.map { .other($0.experiment.name) } ?? .share
    }

    /// A pinned variant, otherwise the one that the device draws. A device with a variant of an experiment draws none of
    /// an experiment that may share no devices with it.
    private func variant(
        in experiment: ServedExperiment, of subject: inout EvaluationContext, pins: DevicePins?
    ) -> Int? {
        guard let pins else { return experiment.variant(of: &subject) }
        if let pinned = pins.variant(of: experiment) { return pinned }
        return pins.excluding(experiment) == nil ? experiment.variant(of: &subject) : nil
    }

    /// The highest cost of finding all variants of a device; nil until every audience is parsed. Computed once.
    package var cost: ConditionCost? {
        if let known = knownCost.load() { return known.cost }
        var sum = ConditionCost()
        for experiment in all {
            guard let cost = experiment.cost else { return nil }
            sum = sum + cost
        }
        return knownCost.storeIfNil(Cost(sum)).cost
    }

    /// Parses every audience.
    package func read() { for experiment in all { _ = experiment.audience?.condition } }

    /// The experiments that vary the model.
    package func varying(model: String) -> [ServedExperiment] { byModel[model] ?? [] }
}

package import HearthCatalog
package import HearthExperiments
package import HearthRemoteConfigTemplates
import HearthStorage
import HearthTargeting
import HearthWire
import Synchronization

/// A running experiment in the form that answers devices.
package final class ServedExperiment: Sendable {
    package let experiment: Experiment
    /// When it started, as sent to devices and back: an exposure with another start belongs to another experiment of
    /// the same name.
    package let startTag: String
    /// What a fetch says about the experiment, by the variant's index: a `RemoteConfigExperiment` as JSON.
    package let descriptions: [[UInt8]]
    /// The values of the parameters that it varies, by the variant's index.
    package let entries: [[ConfigEntry]]
    /// What the answer to a model's look-up says, by the variant's index: `name/variant/start`.
    package let tags: [String]
    /// The version of each model, by the variant's index and the model's display name.
    private let versions: [[String: ServedRelease]]
    /// Nil for all devices.
    let audience: LazyCondition?

    /// Nil for a record that cannot be decoded: one damaged row must not stop the answers to all devices.
    ///
    /// - Throws: what the reader throws.
    init?(_ record: ExperimentRecord, _ reader: any MetadataReader, _ conditions: ServedConditions) throws {
        guard let experiment = try? ExperimentCoding.experiment(record), experiment.state == .running else {
            return nil
        }
        audience = conditions.audience(of: experiment)
        self.experiment = experiment
        let start = Timestamp(microseconds: experiment.startedMicroseconds ?? 0).rfc3339(fractionDigits: 3)
        self.startTag = start
        let keys = experiment.parameterKeys.sorted()
        descriptions = try experiment.variants.map {
            try WireJSON.encode(
                RemoteConfigExperiment(
                    experimentId: experiment.name, variantId: $0.name, experimentStartTime: start,
                    affectedParameterKeys: keys.isEmpty ? nil : keys))
        }
        entries = experiment.variants.map { $0.parameters.map { ConfigEntry(key: $0.key, value: $0.value) } }
        tags = experiment.variants.map { "\(experiment.name)/\($0.name)/\(start)" }
        versions = try experiment.variants.map { variant in
            try variant.models.reduce(into: [:]) { found, model in
                let known = try reader.model(displayName: model.key, project: record.projectID)
                found[model.key] = try known.flatMap { try ServedRelease.alone(model.value, of: $0, reader) }
            }
        }
    }

    /// The variant's index; nil for a device that does not take part.
    func variant(of subject: inout EvaluationContext) -> Int? {
        // The draw first: it is cheaper, and it may exclude most devices.
        // Only the evaluation of a template for readers has a device without an id.
        guard !subject.device.installationID.isEmpty, subject.consumeSteps(Self.drawSteps),
            let variant = experiment.variantIndex(of: subject.device.installationID)
        else { return nil }
        guard let audience else { return variant }
        return audience.condition?.holds(for: &subject) == true ? variant : nil
    }

    /// Two draws: one decides whether the device takes part, the other which variant it gets.
    private static let drawSteps = 2 * ConditionLimits.drawSteps

    /// The highest cost of finding the variant; nil until the audience is parsed.
    var cost: ConditionCost? {
        let draw = ConditionCost(fixedSteps: Self.drawSteps)
        guard let audience else { return draw }
        return audience.isRead ? draw + (audience.condition?.cost ?? ConditionCost()) : nil
    }

    package func version(of model: String, inVariant variant: Int) -> ServedRelease? { versions[variant][model] }

    func varies(model: String) -> Bool { experiment.variants.contains { $0.models[model] != nil } }
}

/// Whether a device takes part in an experiment, and if not, why.
package struct ExperimentFinding {
    /// What keeps a device out.
    package enum Absence {
        /// It is not in the experiment's share.
        case share
        /// It does not meet the condition of the audience.
        case audience
        /// It is in the share of this experiment, with which the experiment may share no devices.
        case other(String)
        /// It has a pinned variant of this experiment, with which the experiment may share no devices.
        case pinned(to: String)
    }

    package let experiment: Experiment
    /// Nil if it takes part.
    package let absence: Absence?
}

extension ExperimentFinding.Absence {
    /// As answers name it, and the name of the other experiment.
    package var words: (because: String, otherExperiment: String?) {
        switch self {
        case .share: ("share", nil)
        case .audience: ("audience", nil)
        case .other(let name): ("otherExperiment", name)
        case .pinned(let name): ("pinnedVariant", name)
        }
    }
}

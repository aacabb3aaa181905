import HearthTargeting
import HearthWire

/// A value of a parameter, its entries made.
enum CompiledValue {
    case entry(ConfigEntry)
    /// The key is left out.
    case inAppDefault
    /// For a part of the installations in the order that the id draws.
    case rollout(id: String, microPercents: Range<Int64>, ConfigEntry)
    /// By the variants that change something.
    case experiment(id: String, [String: ConfigEntry])
    /// For nobody: Hearth has no models of users that could choose.
    case nobody

    init(_ value: ConfigValue, key: String) {
        switch value {
        case .text(let text): self = .entry(ConfigEntry(key: key, value: text))
        case .inAppDefault: self = .inAppDefault
        case .rollout(let rollout):
            self = .rollout(
                id: rollout.rolloutId, microPercents: rollout.microPercents ?? 0..<0,
                ConfigEntry(key: key, value: rollout.value))
        case .experiment(let experiment):
            let firsts = Dictionary(
                experiment.variantValue.map { ($0.variantId, $0) }, uniquingKeysWith: { first, _ in first })
            let entries = firsts.compactMapValues { variant in
                variant.noChange == true ? nil : variant.value.map { ConfigEntry(key: key, value: $0) }
            }
            self = .experiment(id: experiment.experimentId, entries)
        case .personalization: self = .nobody
        }
    }

    /// What it takes to decide, where its condition holds.
    var cost: ConditionCost {
        switch self {
        case .entry, .inAppDefault, .nobody: ConditionCost(fixedSteps: Self.lookSteps)
        case .rollout: ConditionCost(fixedSteps: ConditionLimits.drawSteps)
        case .experiment: ConditionCost(fixedSteps: 4 * Self.lookSteps)
        }
    }

    private static let lookSteps = 16

    /// Whether the value decides; one that is for others only leaves the decision to the next.
    func decide(
        for subject: inout ConditionSubject, _ variants: [String: String],
        _ resolution: inout CompiledTemplate.Resolution
    ) -> Bool {
        // A plain value costs nothing to speak of, and is what a device gets that has no steps left.
        switch self {
        case .entry(let entry): resolution.append(entry)
        case .inAppDefault: break
        case .rollout(let id, let microPercents, let entry):
            guard subject.spend(cost.fixedSteps),
                InstallationShare.contains(subject.device.installationID, microPercents: microPercents, seed: id)
            else {
                return false
            }
            resolution.append(entry)
            resolution.rollouts[id, default: []].append(entry.key)
        case .experiment(let id, let entries):
            // "No change" leaves the decision to the next, as for a device that takes no part.
            guard subject.spend(cost.fixedSteps), let own = variants[id], let entry = entries[own] else { return false }
            resolution.append(entry)
        case .nobody: return false
        }
        return true
    }
}

import HearthLocalCommands
import HearthWire

/// A parameter's value on one line.
enum ConfigValueText {
    private static let longest = 60

    static func text(_ value: ConfigValue?) -> String {
        switch value {
        case nil: "no value"
        case .text(let text): quoted(text)
        case .inAppDefault: "the app's own default"
        case .rollout(let rollout):
            "\(quoted(rollout.value)) for \(share(rollout)) (rollout \(rollout.rolloutId.printable))"
        case .experiment(let experiment):
            "what experiment \(experiment.experimentId.printable) gives (\(variants(experiment)))"
        case .personalization(let id): "what personalization \(id.printable) gives"
        }
    }

    private static func share(_ rollout: ConfigRollout) -> String {
        guard let range = rollout.microPercentRange else { return "\(rollout.percent ?? 0)%" }
        let ends = [range.microPercentStart ?? 0, range.microPercentEnd ?? 0].map { "\(Double($0) / 1_000_000)%" }
        return "those from \(ends[0]) to \(ends[1])"
    }

    private static func variants(_ experiment: ConfigExperimentValue) -> String {
        let texts = experiment.variantValue.map { variant in
            "\(variant.variantId.printable): \(variant.value.map(quoted) ?? "no change")"
        }
        return texts.joined(separator: ", ")
    }

    private static func quoted(_ text: String) -> String {
        text.count <= longest ? "\"\(text.printable)\"" : "\"\(String(text.prefix(longest)).printable)…\""
    }
}

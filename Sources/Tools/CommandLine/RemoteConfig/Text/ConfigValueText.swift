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
            "\(quoted(rollout.value)) for \(rollout.percent ?? 0)% (rollout \(rollout.rolloutId.printable))"
        case .experiment(let experiment): "what experiment \(experiment.experimentId.printable) gives"
        case .personalization(let id): "what personalization \(id.printable) gives"
        }
    }

    private static func quoted(_ text: String) -> String {
        text.count <= longest ? "\"\(text.printable)\"" : "\"\(String(text.prefix(longest)).printable)…\""
    }
}

import HearthRemoteConfigTemplates
import HearthWire

extension TemplateDifference {
    /// `+ parameter colour: "red"`, `- …`, `~ parameter colour: "red" -> "blue"`: a line for each change.
    var lines: [String] { changes.map(\.line) }
}

extension TemplateDifference.Change {
    fileprivate var line: String {
        let (before, after) = (before.map(text), after.map(text))
        return switch (before, after) {
        case (_, let after?) where place == .conditionOrder: "~ \(place.title): \(after)"
        case (let before?, let after?): "~ \(place.title): \(before) -> \(after == before ? closer : after)"
        case (nil, let after?): "+ \(place.title): \(after)"
        case (let before?, nil): "- \(place.title): \(before)"
        case (nil, nil): "~ \(place.title)"
        }
    }

    private func text(_ statement: TemplateDifference.Statement) -> String {
        switch statement {
        case .value(let value): ConfigValueText.text(value)
        case .noValue: ConfigValueText.text(nil)
        case .names(let names): names.map { "'\($0.printable)'" }.joined(separator: ", ")
        case .word(let word):
            switch place {
            case .parameterType: word.lowercased().printable
            case .parameterGroup: "'\(word.printable)'"
            default: word.printable
            }
        }
    }

    /// Where the two sides differ, whose texts look the same: long texts are cut, and some characters are not shown.
    private var closer: String {
        let same = "another value with the same displayed text"
        guard let difference = textDifference else { return same }
        let (before, after) = (ConfigValueText.quoted(difference.before), ConfigValueText.quoted(difference.after))
        let place = "from character \(difference.commonPrefix + 1)"
        return "\(same), \(place)" + (before == after ? "" : ": \(before) -> \(after)")
    }
}

/// A parameter's value on one line.
enum ConfigValueText {
    private static let longest = 60

    static func text(_ value: RemoteConfigParameterValue?) -> String {
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

    private static func share(_ rollout: RemoteConfigRollout) -> String {
        guard let range = rollout.microPercentRange else { return "\(rollout.percent ?? 0)%" }
        let ends = [range.microPercentStart ?? 0, range.microPercentEnd ?? 0].map { "\(Double($0) / 1_000_000)%" }
        return "those from \(ends[0]) to \(ends[1])"
    }

    private static func variants(_ experiment: RemoteConfigExperimentValue) -> String {
        let texts = experiment.variantValue.map { variant in
            "\(variant.variantId.printable): \(variant.value.map(quoted) ?? "no change")"
        }
        return texts.joined(separator: ", ")
    }

    static func quoted(_ text: String) -> String {
        text.count <= longest ? "\"\(text.printable)\"" : "\"\(String(text.prefix(longest)).printable)…\""
    }
}

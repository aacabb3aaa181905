import HearthWire

/// Values of parameters, as pages show them.
enum ConfigValueView {
    /// What a cell of a table shows of a value, and what a list of changes shows.
    static let cellLength = 80
    static let listLength = 300

    /// The value on one line, cut.
    static func cell(_ value: RemoteConfigParameterValue?, length: Int = cellLength) -> Markup {
        switch value {
        case nil: span(.class("faint")) { "no value: the app’s own default" }
        case .inAppDefault: span(.class("faint")) { "the app’s own default" }
        case .text(let text): short(text, length)
        case .rollout(let rollout):
            .joined {
                short(rollout.value, length)
                " for \(share(rollout)) of the devices (rollout "
                short(rollout.rolloutId, length)
                ")"
            }
        case .experiment(let experiment):
            .joined {
                "what experiment "
                short(experiment.experimentId, length)
                " gives ("
                let shown = experiment.variantValue.prefix(10)
                shown.enumerated().map { index, variant in
                    Markup.joined {
                        if index > 0 { ", " }
                        short(variant.variantId, length)
                        ": "
                        if let text = variant.value { short(text, length) } else { "no change" }
                    }
                }
                if experiment.variantValue.count > shown.count { ", …" }
                ")"
            }
        case .personalization(let id):
            .joined {
                "what personalization "
                short(id, length)
                " gives, which Hearth does not have"
            }
        }
    }

    /// A text, cut, with its length if it was cut.
    static func short(_ text: String, _ length: Int = cellLength) -> Markup {
        guard !text.isEmpty else { return span(.class("faint")) { "empty text" } }
        let cut = cut(text, length)
        return .joined {
            code { cut ?? text }
            if cut != nil { small { " … \(size(text))" } }
        }
    }

    /// The beginning of a text; nil if it is not longer.
    static func cut(_ text: String, _ length: Int) -> String? {
        guard text.utf8.count > length else { return nil }
        let scalars = text.unicodeScalars
        let end = scalars.index(scalars.startIndex, offsetBy: length, limitedBy: scalars.endIndex) ?? scalars.endIndex
        return end == scalars.endIndex ? nil : String(scalars[..<end])
    }

    static func size(_ text: String) -> String { NumberText.bytes(Int64(text.utf8.count)) }

    private static func share(_ rollout: RemoteConfigRollout) -> String {
        guard let range = rollout.microPercentRange else { return NumberText.decimal(rollout.percent ?? 0, 6) + " %" }
        let ends = [range.microPercentStart ?? 0, range.microPercentEnd ?? 0].map {
            NumberText.decimal(Double($0) / 1_000_000, 6)
        }
        return "the share from \(ends[0]) to \(ends[1]) %"
    }

    /// `NUMBER` as `number`.
    static func type(_ parameter: RemoteConfigParameter) -> String {
        switch parameter.valueType {
        case nil, "PARAMETER_VALUE_TYPE_UNSPECIFIED": "string"
        case "JSON": "JSON"
        case let type?: type.lowercased()
        }
    }
}

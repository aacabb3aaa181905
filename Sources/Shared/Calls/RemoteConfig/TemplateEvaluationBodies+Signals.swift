import HearthWire

extension TemplateEvaluationBodies.Device {
    /// What the device says of a signal that is a text, by the signal's name in conditions.
    package func text(ofSignal name: String) -> String? {
        switch name {
        case "app.version": appVersion
        case "app.build": appBuild
        default:
            Self.text(name, "app.customSignal", customSignals) ?? Self.text(name, "app.userProperty", userProperties)
        }
    }

    private static func text(_ name: String, _ kind: String, _ values: [String: String]?) -> String? {
        values?.first { "\(kind)['\($0.key)']" == name }?.value
    }
}

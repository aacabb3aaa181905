import HearthArguments
import HearthCalls
import HearthWire

/// A metric on the command line: `purchase`, `purchase:total`, `crash:conversion:2%:lower`. Pure.
struct MetricOption {
    static let kinds = ["conversion", "total", "average"]

    let event: String
    let kind: String
    /// Whether lower is better; nil if the text does not say it.
    let lowerIsBetter: Bool?
    /// How much worse a variant may be, as a fraction of the control's value.
    let margin: Double?

    /// - Parameters:
    ///   - option: the option's name, for the error.
    ///   - hasMargin: whether it is a guardrail, which has a margin, and says itself what is better.
    init(_ text: String, _ option: String, hasMargin: Bool) throws(ValidationError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        var kind: String?
        var lowerIsBetter: Bool?
        var margin: Double?
        for part in parts.dropFirst() {
            if Self.kinds.contains(part), kind == nil {
                kind = part
            } else if hasMargin, part == "lower" || part == "higher", lowerIsBetter == nil {
                lowerIsBetter = part == "lower"
            } else if hasMargin, margin == nil, part.hasSuffix("%") || Share(argument: part) != nil {
                margin = try Share.given(part, "\(option) '\(text)': the margin").fraction
            } else {
                throw ValidationError("\(option) '\(text)': write \(Self.form(hasMargin)).")
            }
        }
        guard let event = parts.first, !event.isEmpty else {
            throw ValidationError("\(option) '\(text)': write \(Self.form(hasMargin)).")
        }
        self.event = event
        self.kind = kind ?? "conversion"
        self.lowerIsBetter = lowerIsBetter
        self.margin = margin
    }

    private static func form(_ hasMargin: Bool) -> String {
        let kinds = "conversion, total or average"
        return hasMargin
            ? "EVENT:lower or EVENT:higher, with \(kinds) and a margin such as 2% if wanted: crash:conversion:2%:lower"
            : "EVENT or EVENT:KIND, where KIND is \(kinds)"
    }

    /// The guardrail. Its text must say what is better, except for the events that Hearth itself reports about models: with the
    /// wrong direction a guardrail would end an experiment because of an improvement.
    ///
    /// - Parameter model: the model that the experiment varies. Of the events that Hearth reports, only those of this model count.
    func guardrail(_ option: String, model: String?) throws(ValidationError) -> ExperimentBodies.Guardrail {
        guard let lowerIsBetter = lowerIsBetter ?? Self.known[event] else {
            throw ValidationError("\(option) '\(event)': say what is better, '\(event):lower' or '\(event):higher'.")
        }
        return ExperimentBodies.Guardrail(metric: metric(lowerIsBetter: lowerIsBetter, model: model), margin: margin)
    }

    func metric(lowerIsBetter: Bool, model: String?) -> ExperimentBodies.Metric {
        ExperimentBodies.Metric(
            event: event, kind: kind, lowerIsBetter: lowerIsBetter ? true : nil,
            model: Self.known[event] == nil ? nil : model)
    }

    private static let known = [
        ModelEvents.loadFailure: true, ModelEvents.inferenceMilliseconds: true, ModelEvents.confidence: false,
    ]
}

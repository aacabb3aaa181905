import HearthArguments
import HearthCalls
import HearthWire

/// What an experiment varies: one parameter or one model. The first value is the control's.
struct VariantOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Remote Config parameter that varies.", valueName: "key"))
    var parameter: String?

    @Option(
        help: ArgumentHelp(
            "Values of the parameter, separated by commas. The first is the control's.", valueName: "values"))
    var values: String?

    @Option(help: ArgumentHelp("Model that varies.", valueName: "name"))
    var model: String?

    @Option(
        help: ArgumentHelp(
            "Versions of the model, numbers or aliases, separated by commas. The first is the control's.",
            valueName: "versions"))
    var versions: String?

    func validate() throws { _ = try variants() }

    /// The aliases among the versions.
    var aliases: [String] {
        (versions ?? "").split(separator: ",").map(String.init).filter(WireNames.isVersionAlias)
    }

    var isEmpty: Bool { parameter == nil && values == nil && model == nil && versions == nil }

    /// Named `control`, `variant-1`, `variant-2` ….
    ///
    /// - Parameter known: the numbers of the versions that have the aliases; nil before the server has said it.
    func variants(_ known: [String: Int]? = nil) throws(ValidationError) -> [ExperimentBodies.Variant] {
        switch (parameter, values, model, versions) {
        case (nil, nil, nil, nil): return []
        case (let parameter?, let values?, nil, nil):
            return try named(Self.list(values, "--values")) { .init(name: "", parameters: [parameter: $0]) }
        case (nil, nil, let model?, let versions?):
            try ModelName.check(model)
            let names = try Self.list(versions, "--versions")
            for name in names where VersionArgument(argument: name) == nil {
                throw ValidationError("--versions '\(name)': give \(VersionArgument.expectation).")
            }
            let numbers = names.map { Int($0) ?? known?[$0] ?? 0 }
            guard known == nil || Set(numbers).count == numbers.count else {
                throw ValidationError("--versions '\(versions)': give different versions.")
            }
            return named(numbers) { .init(name: "", models: [model: $0]) }
        default:
            throw ValidationError("Give --parameter with --values, or --model with --versions; not both.")
        }
    }

    private func named<Value>(
        _ values: [Value], _ variant: (Value) -> ExperimentBodies.Variant
    ) -> [ExperimentBodies.Variant] {
        values.enumerated().map { index, value in
            var variant = variant(value)
            variant.name = index == 0 ? "control" : "variant-\(index)"
            return variant
        }
    }

    private static func list(_ text: String, _ option: String) throws(ValidationError) -> [String] {
        let items = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard items.count >= 2, Set(items).count == items.count else {
            throw ValidationError("\(option) '\(text)': give two or more different values, separated by commas.")
        }
        return items
    }
}

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

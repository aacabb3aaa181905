import HearthArguments
import HearthWire

/// What an experiment varies: one parameter, or one model. The first value is the control's.
struct VariantOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Parameter of Remote Config that it varies.", valueName: "key"))
    var parameter: String?

    @Option(
        help: ArgumentHelp(
            "The parameter's values, separated by commas; the first one is the control's.", valueName: "values"))
    var values: String?

    @Option(help: ArgumentHelp("Model that it varies.", valueName: "name"))
    var model: String?

    @Option(
        help: ArgumentHelp(
            "The model's versions, separated by commas; the first one is the control's.", valueName: "numbers"))
    var versions: String?

    func validate() throws { _ = try variants() }

    var isEmpty: Bool { parameter == nil && values == nil && model == nil && versions == nil }

    /// Named `control`, `variant-1`, `variant-2` ….
    func variants() throws(ValidationError) -> [ExperimentBodies.Variant] {
        switch (parameter, values, model, versions) {
        case (nil, nil, nil, nil): return []
        case (let parameter?, let values?, nil, nil):
            return try named(Self.list(values, "--values")) { .init(name: "", parameters: [parameter: $0]) }
        case (nil, nil, let model?, let versions?):
            try ModelName.check(model)
            let numbers = try Self.list(versions, "--versions")
            for number in numbers where (Int(number) ?? 0) < 1 {
                throw ValidationError("--versions '\(number)': versions are numbered from 1 on.")
            }
            return named(numbers) { .init(name: "", models: [model: Int($0) ?? 0]) }
        default:
            throw ValidationError("Give --parameter with --values, or --model with --versions; not both.")
        }
    }

    private func named(
        _ values: [String], _ variant: (String) -> ExperimentBodies.Variant
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
            throw ValidationError("\(option) '\(text)': give two or more different ones, separated by commas.")
        }
        return items
    }
}

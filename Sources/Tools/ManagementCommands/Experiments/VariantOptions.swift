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

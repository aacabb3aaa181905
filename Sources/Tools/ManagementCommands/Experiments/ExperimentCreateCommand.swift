import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct ExperimentCreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a draft of an experiment, from a file or from options.",
        discussion: """
            Devices are not affected until hearth experiments start. What the options cannot express goes into a file: \
            hearth experiments show NAME --definition prints the draft as a file.
            """,
        examples: [
            "hearth experiments create --name colours --parameter button --values red,blue --goal purchase",
            "hearth experiments create --name better --model flowers --versions 1,2 --goal kept --share 20%",
            "hearth experiments create colours.json",
        ])

    @Argument(
        help: "File with the experiment as JSON; - for standard input. Without a file: --name, --goal, and what varies."
    )
    var file: String?

    @Option(help: ArgumentHelp("Name of the new experiment.", valueName: "name"))
    var name: String?

    @OptionGroup var variants: VariantOptions

    @Option(
        help: ArgumentHelp(
            "Event that shows which variant is better.",
            discussion: """
                KIND is conversion (whether an installation logged the event at all; the default), total (sum of its values) or \
                average (mean of its values).
                """,
            valueName: "event[:kind]"))
    var goal: String?

    @Flag(help: "A lower goal is better.")
    var lowerIsBetter = false

    @Option(
        help: ArgumentHelp(
            "Metric that no variant may make worse. May be given several times.",
            discussion: "Such as crash:lower, or latency:average:5%:lower for at most 5% more than the control's.",
            valueName: "event[:kind][:margin]:better"))
    var guardrail: [String] = []

    @Option(
        help: ArgumentHelp(
            "Share of all installations that take part, such as 20%. Default: 100%.", valueName: "share"))
    var share: String?

    @Option(help: ArgumentHelp("Only devices that meet this condition.", valueName: "condition"))
    var audience: String?

    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard let file else {
            _ = try definition()
            return
        }
        let isAlone =
            name == nil && variants.isEmpty && goal == nil && !lowerIsBetter && guardrail.isEmpty && share == nil
            && audience == nil
        guard isAlone else {
            throw ValidationError("Give the file '\(file)' or options, not both.")
        }
    }

    func run() throws {
        let client = try admin.client()
        let (definition, bytes) = try content(client)
        let made = try ExperimentSubmission(audience: definition.audience).send { () throws(AdminError) in
            try client.createExperiment(json: bytes)
        }
        try ExperimentOutput(admin: admin).print(made, "Made a draft of")
    }

    private func content(_ client: AdminClient) throws -> (ExperimentBodies.Definition, [UInt8]) {
        guard let file else {
            let definition = try definition(versions: numbers(client))
            return (definition, try WireJSON.encode(definition))
        }
        let found = try ExperimentFile(file)
        return (found.definition, found.bytes)
    }

    /// The versions that have the aliases of `--versions`.
    private func numbers(_ client: AdminClient) throws -> [String: Int] {
        guard let model = variants.model, !variants.aliases.isEmpty else { return [:] }
        let name = try ModelName.find(model, client).resourceName()
        var numbers: [String: Int] = [:]
        for alias in variants.aliases { numbers[alias] = try VersionArgument.alias(alias).number(of: name, client) }
        return numbers
    }

    /// The experiment that the options describe.
    ///
    /// - Parameter versions: the numbers of the versions that have the aliases; nil before the server has said it.
    func definition(versions: [String: Int]? = nil) throws(ValidationError) -> ExperimentBodies.Definition {
        let variants = try variants.variants(versions)
        guard let name, let goal, !variants.isEmpty else {
            throw ValidationError(
                "Give a file, or --name, --goal, and what varies: --parameter with --values, or --model with --versions."
            )
        }
        try ExperimentName.check(name)
        var definition = ExperimentBodies.Definition(
            name: name, variants: variants,
            goal: try MetricOption(goal, "--goal", hasMargin: false).metric(
                lowerIsBetter: lowerIsBetter, model: self.variants.model))
        definition.guardrails = try guardrails()
        definition.share = try givenShare()?.fraction
        definition.audience = audience
        return definition
    }

    private func guardrails() throws(ValidationError) -> [ExperimentBodies.Guardrail]? {
        var guardrails: [ExperimentBodies.Guardrail] = []
        for text in guardrail {
            guardrails.append(
                try MetricOption(text, "--guardrail", hasMargin: true).guardrail("--guardrail", model: variants.model))
        }
        return guardrails.isEmpty ? nil : guardrails
    }

    private func givenShare() throws(ValidationError) -> Share? {
        guard let share else { return nil }
        let given = try Share.given(share, "--share")
        guard given > .none else { throw ValidationError("--share must be more than 0%.") }
        return given
    }
}

struct ExperimentEditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Replace the definition of an experiment that has not started.",
        examples: ["hearth experiments edit colours colours.json"])

    @OptionGroup var experiment: ExperimentName

    @Argument(help: "File with the experiment as JSON; - for standard input.")
    var file: String

    @OptionGroup var admin: AdminOptions

    func run() throws {
        let found = try ExperimentFile(file)
        guard found.definition.name == experiment.name else {
            throw CommandFailure(
                "\(file) is about '\(found.definition.name)', not '\(experiment.name)'; an experiment keeps its name.")
        }
        let client = try admin.client()
        let changed = try ExperimentSubmission(audience: found.definition.audience).send { () throws(AdminError) in
            try client.replaceExperiment(experiment.name, json: found.bytes)
        }
        try ExperimentOutput(admin: admin).print(changed, "Changed the draft of")
    }
}

/// A file with an experiment's definition.
struct ExperimentFile {
    let definition: ExperimentBodies.Definition
    let bytes: [UInt8]

    init(_ path: String) throws(CommandFailure) {
        let file = try JSONFile<ExperimentBodies.Definition>(path, what: "an experiment")
        definition = file.value
        bytes = file.bytes
    }
}

/// Sends a definition. If its audience is not a valid condition, shows the wrong character on standard error.
struct ExperimentSubmission {
    let audience: String?

    func send(
        _ call: () throws(AdminError) -> ExperimentBodies.Experiment
    ) throws(AdminError) -> ExperimentBodies.Experiment {
        do throws(AdminError) {
            return try call()
        } catch {
            if error.status == 400, let audience, let mark = ConditionErrorText.text(audience) { Output.note(mark) }
            throw error
        }
    }
}

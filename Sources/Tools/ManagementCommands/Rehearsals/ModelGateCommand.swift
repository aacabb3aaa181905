import HearthAdmin
import HearthArguments
import HearthCalls
import HearthCatalog
import HearthLocalCommands
import HearthWire

struct ModelGateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gate",
        abstract: "Say how often a gate refuses equally good versions, and which losses it finds, before you set it.",
        discussion: """
            With a model's name, the numbers are those for the model's own images, and without --require those of the gate that the \
            model has. With --images, they are for so many images, and the command asks no server. It changes nothing.
            """,
        examples: [
            "hearth models gate flowers",
            "hearth models gate flowers --require shown-loss=1%",
            "hearth models gate --require accuracy=-1%,shown-loss=1% --images 20,50,100,200,500",
        ])

    @Argument(help: "Display name of the model whose images count. Give it or --images.")
    var name: String?

    @Option(
        help: ArgumentHelp(
            "The requirements, such as agreement=98%,shown-loss=1%. Default: the model's.", valueName: "gate"))
    var require: String?

    @Option(
        help: ArgumentHelp(
            "Numbers of images with an expected answer, 20 to 500, such as 20,50,100, instead of a model's.",
            valueName: "numbers")
    )
    var images: String?

    @Option(
        help: "With --images: how many different answers are expected, each of the same number of images. Default: 1.")
    var labels: Int?

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    private static let numbers = RehearsalLimits().leastImages...RehearsalLimits().images

    private static let noNumber = ValidationError(
        "--images takes numbers from \(numbers.lowerBound) to \(numbers.upperBound), joined by commas.")

    func validate() throws {
        guard (name == nil) != (images == nil) else { throw ValidationError("Give the name of a model, or --images.") }
        guard name != nil || require != nil else { throw ValidationError("With --images, give --require too.") }
        guard labels == nil || images != nil else { throw ValidationError("--labels goes with --images.") }
        _ = try gate()
        guard try counts().isEmpty == (images == nil) else { throw Self.noNumber }
    }

    func run() throws {
        var reports: [GateReport]
        if let name {
            let client = try admin.client()
            let model = try ModelName.find(name, client)
            guard let gate = try gate() ?? Self.stored(model) else {
                throw CommandFailure(
                    "'\(name)' has no requirements; give --require, such as --require shown-loss=1%.", code: "NOT_FOUND"
                )
            }
            reports = [GateReport(gate, RehearsalCounts(try client.images(of: model.resourceName())))]
        } else {
            let gate = try gate()
            reports = try counts().compactMap { counts in gate.map { GateReport($0, counts) } }
        }
        if admin.json { return try Output.json(reports.map(\.body)) }
        GateReport.lines(reports, width: tables.width).forEach(Output.line)
        if let name, let gate = try gate() { Self.nothingStored(name, gate).forEach(Output.line) }
    }

    /// What to do with requirements that the model may not have yet.
    static func nothingStored(_ name: String, _ gate: RehearsalGate) -> [String] {
        ["", "Nothing was stored. `hearth models set \(name) --rehearsal-require \(gate.text)` stores it."]
    }

    private func gate() throws -> RehearsalGate? {
        guard let require else { return nil }
        do throws(CatalogError) {
            return try RehearsalGate(require)
        } catch {
            throw ValidationError("--require: \(error.message)")
        }
    }

    private static func stored(_ model: ModelResource) throws -> RehearsalGate? {
        guard let text = model.hearth?.rehearsalRequire else { return nil }
        do throws(CatalogError) {
            return try RehearsalGate(text)
        } catch {
            throw CommandFailure(
                "The model's requirements cannot be read; this hearth may be too old: \(error.message)")
        }
    }

    /// As many images for each expected answer as there are, the rest in the first ones.
    private func counts() throws -> [RehearsalCounts] {
        let labels = labels ?? 1
        return try (images ?? "").split(separator: ",").map { text in
            guard let number = Int(text), Self.numbers.contains(number) else {
                throw Self.noNumber
            }
            guard (1...number).contains(labels) else {
                throw ValidationError("--labels takes 1 to the number of images.")
            }
            return RehearsalCounts(
                images: number, labels: (0..<labels).map { number / labels + ($0 < number % labels ? 1 : 0) })
        }
    }
}

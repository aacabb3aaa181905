import HearthAdmin
import HearthArguments
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
            "Numbers of images with an expected answer, such as 20,50,100, instead of a model's.", valueName: "numbers")
    )
    var images: String?

    @Option(
        help: "With --images: how many different answers are expected, each of the same number of images. Default: 1.")
    var labels: Int?

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    private static let mostImages = RehearsalLimits().images

    private static let noNumber = ValidationError("--images takes numbers from 1 to \(mostImages), joined by commas.")

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
            guard let number = Int(text), (1...Self.mostImages).contains(number) else {
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

/// How often a gate errs on some images.
struct GateReport {
    private let gate: RehearsalGate
    private let counts: RehearsalCounts

    init(_ gate: RehearsalGate, _ counts: RehearsalCounts) { (self.gate, self.counts) = (gate, counts) }

    /// What `--json` prints.
    struct Body: Encodable {
        struct Requirement: Encodable {
            var requirement: String
            /// The images on which it judges; 0 if it refuses every version, because none has an expected answer.
            var images: Int
            var chances: [Chance]?
            var fewestLost: Int?
        }

        struct Chance: Encodable {
            var answersThatDiffer: Double
            var equalVersionRefused: Double
            var lossFound: Double?
        }

        var images: Int
        var expectedAnswers: Int
        var requirements: [Requirement]
    }

    var body: Body {
        Body(
            images: counts.images, expectedAnswers: counts.labels.count,
            requirements: gate.errors(on: counts).map { requirement, errors in
                Body.Requirement(
                    requirement: requirement.text, images: errors?.images ?? 0,
                    chances: errors.map { errors in
                        GateErrors.shares.indices.map {
                            Body.Chance(
                                answersThatDiffer: GateErrors.shares[$0], equalVersionRefused: errors.equalRefused[$0],
                                lossFound: errors.foundLoss[$0])
                        }
                    }, fewestLost: errors?.leastLost)
            })
    }

    static func lines(_ reports: [GateReport], width: Int?) -> [String] {
        guard let first = reports.first else { return [] }
        var table = TextTable(
            GateTable.columns.enumerated().map { index, title in
                index == 0 ? .text(title.uppercased()) : .number(title.uppercased())
            })
        for report in reports { GateTable.rows(report.gate, on: report.counts).forEach { table.append($0) } }
        return [table.text(width: width), ""] + GateTable.explanation(of: first.gate, on: first.counts)
    }
}

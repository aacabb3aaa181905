import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct ModelListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the models.",
        examples: [
            "hearth models list",
            "hearth models list --filter 'tags: beta' --json",
        ])

    @Option(
        help: ArgumentHelp(
            "Only models that match, such as 'tags: beta' or 'displayName: flower*'.",
            discussion:
                "Terms: displayName = NAME, displayName: PREFIX*, tags: TAG, state.published = true; joined by AND, OR.",
            valueName: "filter"))
    var filter: String?

    @Option(help: ArgumentHelp("Maximum number of models.", valueName: "count"))
    var limit: Int?

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
    }

    func run() throws {
        let client = try admin.client()
        let models = try client.models(filter: filter, limit: limit)
        if admin.json { return try Output.json(ModelList(models: models, nextPageToken: nil)) }
        guard !models.isEmpty else {
            return Output.line(
                filter == nil ? "There are no models. Try: hearth models push --help" : "No model matches the filter."
            )
        }
        var table = ModelSummary.table
        for model in models {
            table.append(ModelSummary(model, size: SizeLookup(client: client).size(of: model)).row)
        }
        Output.line(table.text(width: tables.width))
    }
}

struct ModelShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one model.",
        examples: ["hearth models show flowers"])

    @OptionGroup var model: ModelName
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let found = try model.find(client)
        if admin.json { return try Output.json(found) }
        for line in ModelSummary(found, size: SizeLookup(client: client).size(of: found)).lines {
            Output.line(line)
        }
    }
}

/// The size of a model's newest version.
struct SizeLookup {
    let client: AdminClient

    /// In decimal digits; nil without a version. For a malformed version the model does not have the size, so this is the size of
    /// the upload.
    func size(of model: ModelResource) -> String? {
        if let bytes = model.tfliteModel?.sizeBytes { return bytes }
        guard let name = model.name, let version = model.hearth?.version else { return nil }
        return (try? client.version(version, of: name))?.sizeBytes
    }
}

/// Models as text.
struct ModelSummary {
    private let model: ModelResource
    private let size: String?

    /// - Parameter size: of the newest version, in decimal digits.
    init(_ model: ModelResource, size: String?) {
        self.model = model
        self.size = size
    }

    /// The size is beside the version that it belongs to: devices may get another version.
    static var table: TextTable {
        TextTable([
            "NAME", .number("NEWEST"), .number("SIZE"), .text("PUBLISHED", isTruncatable: true),
            .text("CHANGED (UTC)", dropOrder: 1), .text("MESSAGE", dropOrder: 2, isTruncatable: true),
        ])
    }

    var row: [String] {
        [
            model.displayName ?? "", version, sizeText, published, TimeArgument.short(model.updateTime), message,
        ]
    }

    var lines: [String] {
        var lines = [
            "name:       \(model.displayName ?? "")",
            "resource:   \(model.name ?? "")",
            "version:    \(version)\(version == "-" ? "" : ", the newest")",
            "published:  \(published)",
            "tags:       \((model.tags ?? []).joined(separator: ", "))",
            "created:    \(model.createTime ?? "")",
            "changed:    \(model.updateTime ?? "")",
        ]
        if let hearth = model.hearth { lines.append("contract:   \(hearth.contractCheck ?? "warn") on changes") }
        if let gate = model.hearth?.rehearsalRequire {
            let check = model.hearth?.rehearsalCheck ?? "warn"
            lines.append("rehearsal:  \(check) unless it meets \(gate); hearth models gate says how often that errs")
        }
        if let version = model.hearth?.publishWhenValidated {
            lines.append("waiting:    version \(version) is published after its validation")
        }
        if !message.isEmpty { lines.append("message:    \(message.printable)") }
        return lines + versionLines
    }

    /// The newest version, which need not be the one that devices get.
    private var versionLines: [String] {
        guard let version = model.hearth?.version else { return [] }
        var lines = ["Version \(version):"]
        lines.append("size:       \(sizeText)")
        lines.append("sha256:     \(model.modelHash ?? "-")")
        if let contract = model.hearth?.contract { lines += ContractText.lines(contract) }
        return lines
    }

    private var version: String { model.hearth?.version.map(String.init) ?? "-" }

    private var published: String {
        // Some devices get another version than the others.
        let rollouts = (model.hearth?.rollouts ?? []).map { rollout in
            ReleaseSummary(rollout).distribution + (rollout.state == "paused" ? ", paused" : "")
        }
        guard let released = model.hearth?.releasedVersion else {
            return rollouts.isEmpty ? "no" : rollouts.joined(separator: "; ")
        }
        return (["version \(released)"] + rollouts).joined(separator: "; ")
    }

    private var sizeText: String { size.flatMap { UInt64($0) }.map(ByteCount.text) ?? "-" }

    private var message: String {
        model.hearth?.validationDetail ?? model.state?.validationError?.message ?? model.hearth?.warning ?? ""
    }
}

import HearthAdmin
import HearthArguments
import HearthCalls
import HearthCatalog
import HearthLocalCommands
import HearthWire

struct ModelSetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change a model's settings.",
        discussion: """
            Before it sets a gate, it says how often the gate refuses equally good versions on the model's images. `hearth models \
            gate` says that and changes nothing. With --json, only `hearth models gate` says it.
            """,
        examples: [
            "hearth models set flowers --contract-check refuse",
            "hearth models set flowers --rehearsal-require shown-loss=1% --rehearsal-check refuse",
            "hearth models set flowers --rehearsal-require none",
        ])

    /// What happens when a version that fails a check is about to be released.
    enum Check: String, CaseIterable, ExpressibleByArgument {
        case warn
        case refuse
    }

    @OptionGroup var model: ModelName

    @Option(
        help: ArgumentHelp(
            "What the server does before it releases a version with other inputs, outputs or labels: warn, or refuse.",
            valueName: "answer"))
    var contractCheck: Check?

    @Option(
        help: ArgumentHelp(
            "What a version's rehearsal must show before it is released, such as agreement=98%,shown-loss=1%; none for nothing.",
            valueName: "gate"))
    var rehearsalRequire: String?

    @Option(
        help: ArgumentHelp(
            "What the server does before it releases a version whose rehearsal is missing or shows less: warn, or refuse.",
            valueName: "answer"))
    var rehearsalCheck: Check?

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard contractCheck != nil || rehearsalRequire != nil || rehearsalCheck != nil else {
            throw ValidationError("Give what to change: --contract-check, --rehearsal-require or --rehearsal-check.")
        }
        _ = try gate()
    }

    func run() throws {
        let client = try admin.client()
        var body = ModelResource()
        var fields = ModelResource.HearthFields()
        fields.contractCheck = contractCheck?.rawValue
        let gate = try gate()
        fields.rehearsalRequire = gate?.text ?? rehearsalRequire.map { _ in "" }
        fields.rehearsalCheck = rehearsalCheck?.rawValue
        body.hearth = fields
        let mask = [
            contractCheck.map { _ in "hearth.contractCheck" }, rehearsalRequire.map { _ in "hearth.rehearsalRequire" },
            rehearsalCheck.map { _ in "hearth.rehearsalCheck" },
        ].compactMap { $0 }.joined(separator: ",")
        let name = try model.find(client).resourceName()
        if let gate, !admin.json {
            let report = GateReport(gate, RehearsalCounts(try client.images(of: name)))
            for line in GateReport.lines([report], width: tables.width) + [""] { Output.line(line) }
        }
        let changed = try client.updateModel(name, body, mask: mask)
        if admin.json { return try Output.json(changed) }
        if let contractCheck { Output.success(contractText(contractCheck)) }
        if rehearsalRequire != nil || rehearsalCheck != nil { Output.success(rehearsalText(changed)) }
    }

    /// Nil to remove the requirements, or to leave them.
    private func gate() throws -> RehearsalGate? {
        guard let rehearsalRequire, rehearsalRequire != "none" else { return nil }
        do throws(CatalogError) {
            return try RehearsalGate(rehearsalRequire)
        } catch {
            throw ValidationError("--rehearsal-require: \(error.message)")
        }
    }

    private func contractText(_ check: Check) -> String {
        check == .warn
            ? "If the inputs, outputs or labels of '\(model.name)' change, the server releases the version with a warning."
            : """
            If the inputs, outputs or labels of '\(model.name)' change, the server releases the version only \
            with --allow-contract-change.
            """
    }

    private func rehearsalText(_ changed: ModelResource) -> String {
        guard let gate = changed.hearth?.rehearsalRequire else {
            return rehearsalCheck == nil
                ? "The server releases versions of '\(model.name)' without a rehearsal."
                : """
                '\(model.name)' has no requirements, so the server releases its versions without a rehearsal; \
                give --rehearsal-require too.
                """
        }
        return changed.hearth?.rehearsalCheck == nil
            ? "If the rehearsal of a version of '\(model.name)' is missing or does not meet \(gate), the server releases it with a warning."
            : """
            If the rehearsal of a version of '\(model.name)' is missing or does not meet \(gate), the server \
            releases it only with --allow-failed-rehearsal.
            """
    }
}

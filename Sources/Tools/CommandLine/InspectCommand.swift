import Glibc
import HearthArguments
import HearthLocalCommands
import HearthModelFile
import HearthValidation
import HearthWire

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.inspect.name,
        abstract: CommandSummary.inspect.abstract,
        discussion: """
            The model is looked at by a sandboxed child process, as the server does it. Sizes that the model leaves open are \
            -1. With --json, --tensors and --operators add the key "subgraphs".
            """,
        examples: [
            "hearth inspect flowers.tflite",
            "hearth inspect flowers.tflite --operators",
            "hearth inspect flowers-bundle.zip --json",
        ])

    @Argument(help: "A .tflite file, or an AutoML bundle (folder, manifest or zip).")
    var model: String

    @Flag(help: "List every tensor: type, shape, quantization.")
    var tensors = false

    @Flag(help: "List every operator in the order of the file.")
    var operators = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        // A parent that ignores SIGCHLD passes that on, and the probe could not be waited for.
        signal(SIGCHLD, SIG_DFL)
        let payload = try PushPayload(model)
        let report = try probe(payload)
        let listing = report.contract == nil ? nil : try readListing(payload)
        if json {
            try Output.json(InspectReport(report, listing))
        } else if var contract = report.contract, let listing {
            // The listing tells more of them than their names.
            contract.signatures = []
            for line in ContractText.lines(contract) { Output.line(line) }
            if contract.labelCount == nil { printExternalLabels() }
            for line in ListingText.lines(listing) { Output.line(line) }
        }
        switch report.verdict {
        case .ok: break
        case .unsupported: Output.note("warning: \(report.message ?? "this engine cannot run the model")")
        case .malformed: throw CommandFailure("\(model): \(report.message ?? "not a usable model")")
        }
    }

    /// What the file says in full, read without the engine. Only for models that the probe could read.
    private func readListing(_ payload: PushPayload) throws(ModelFileError) -> ModelListing {
        let graph = try ModelFile(ModelBytes(contentsOfFile: payload.path)).graph
        return ModelListing(graph, includesTensors: tensors, includesOperators: operators)
    }

    private func probe(_ payload: PushPayload) throws -> ProbeReport {
        // Without blocking: to open a named pipe would be to wait for a writer.
        let descriptor = open(payload.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw CommandFailure("Cannot open \(model): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure("\(model) is not a regular file; name a model file or a bundle.")
        }
        return try ModelValidator(executable: ProbeCommand.program).report(descriptor: descriptor)
    }

    /// The probe sees the model alone. Labels in a file beside it are used here, but are no part of it.
    private func printExternalLabels() {
        do throws(ModelFileError) {
            guard let labels = try ModelBundle(path: model).labels else { return }
            Output.line("labels:     \(labels.count), in a file beside the model")
        } catch {
            Output.note("warning: the labels cannot be used: \(error.message)")
        }
    }
}

/// What `hearth inspect --json` prints: the probe's report, and what the file says in full.
struct InspectReport: Encodable {
    private let verdict: ProbeReport.Verdict
    private let message: String?
    private let contract: ModelContract?
    private let signatures: [ModelListing.Signature]?
    private let subgraphs: [ModelListing.Subgraph]?

    init(_ report: ProbeReport, _ listing: ModelListing?) {
        verdict = report.verdict
        message = report.message
        contract = report.contract
        signatures = listing?.signatures
        subgraphs = listing?.subgraphs
    }
}

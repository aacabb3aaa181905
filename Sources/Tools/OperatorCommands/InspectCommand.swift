import Glibc
import HearthArguments
import HearthLocalCommands
import HearthManagementCommands
import HearthModelFile
import HearthValidation
import HearthWire

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.inspect.name,
        abstract: CommandSummary.inspect.abstract,
        discussion: """
            A sandboxed child process reads the model, as on the server. Sizes that the model leaves open are \
            -1. With --json, --tensors and --operators add the key "subgraphs".
            """,
        examples: [
            "hearth inspect flowers.tflite",
            "hearth inspect flowers.tflite --operators",
            "hearth inspect flowers-bundle.zip --json",
        ])

    @Argument(help: "A .tflite file, or an AutoML bundle (folder, manifest or zip).")
    var model: String

    @Flag(help: "List every tensor with its type, shape and quantization.")
    var tensors = false

    @Flag(help: "List every operator, in the order of the file.")
    var operators = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        // A parent that ignores SIGCHLD passes that on, and then the command could not wait for the probe.
        signal(SIGCHLD, SIG_DFL)
        let payload = try PushPayload(model)
        let report = try probe(payload)
        let listing = report.contract == nil ? nil : try readListing(payload)
        if json {
            try Output.json(InspectReport(report, listing))
        } else if var contract = report.contract, let listing {
            // The listing shows more of the signatures than their names.
            contract.signatures = []
            for line in ContractText.lines(contract) { Output.line(line) }
            if contract.labelCount == nil { printExternalLabels() }
            for line in ListingText.lines(listing) { Output.line(line) }
        }
        switch report.verdict {
        case .ok: break
        case .unsupported: Output.note("warning: \(report.message ?? "this engine cannot run the model")")
        case .malformed: throw CommandFailure("\(model): \(report.message ?? "it is not a usable model")")
        }
    }

    /// The full content of the file, read without the engine. Only for models that the probe could read.
    private func readListing(_ payload: PushPayload) throws(ModelFileError) -> GraphListing {
        let graph = try ModelFile(ModelBytes(contentsOfFile: payload.path)).graph
        return GraphListing(graph, includesTensors: tensors, includesOperators: operators)
    }

    private func probe(_ payload: PushPayload) throws -> ProbeReport {
        // Without blocking: opening a named pipe would wait for a writer.
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

    /// The probe reads only the model. Labels in a file beside it are shown here, and are not part of it.
    private func printExternalLabels() {
        do throws(ModelFileError) {
            let bundle = try ModelBundle(path: model)
            guard let labels = bundle.labels else {
                for notice in LabelFileNotice.lines(bundle.ambiguousLabelFiles) { Output.note(notice) }
                return
            }
            Output.line("labels:     \(labels.count), in a file beside the model, not in the model itself")
        } catch {
            Output.note("warning: the labels cannot be used: \(error.message)")
        }
    }
}

/// The output of `hearth inspect --json`: the probe's report, and the full content of the file.
struct InspectReport: Encodable {
    private let verdict: ProbeReport.Verdict
    private let message: String?
    private let contract: ModelContract?
    private let signatures: [GraphListing.Signature]?
    private let subgraphs: [GraphListing.Subgraph]?

    init(_ report: ProbeReport, _ listing: GraphListing?) {
        verdict = report.verdict
        message = report.message
        contract = report.contract
        signatures = listing?.signatures
        subgraphs = listing?.subgraphs
    }
}

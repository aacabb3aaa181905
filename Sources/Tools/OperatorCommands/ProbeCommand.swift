import HearthArguments
import HearthLocalCommands
import HearthProbe

/// For programs: the server and `inspect` start it.
struct ProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CommandSummary.probe.name,
        abstract: CommandSummary.probe.abstract,
        examples: [
            "hearth probe --measure --runs 50 3< flowers.tflite",
            "hearth probe --pack 3< flowers.zip",
            "hearth probe --images --threshold 0.05 3< flowers.tflite < IMAGES",
        ],
        shouldDisplay: false)

    /// The program that has this command: the one that is running.
    static let program = "/proc/self/exe"
    /// What validates and runs the models.
    static let engine = Probe.engine

    @Flag(help: "Run the model and print its measurements, instead of its description.")
    var measure = false

    @Flag(help: "Run the model on the images of standard input: for each, its length in 4 bytes, then its bytes.")
    var images = false

    @Flag(help: "Pack a zip of a model and its labels: print a line of JSON, then the model file.")
    var pack = false

    @Option(
        help:
            "Least confidence of an answer to an image, 0 to 1; up to 100 answers. Default: 0.5 for boxes; 20 answers.")
    var threshold: Double?

    @Option(help: "How images go in and what comes out, as JSON, where it is not as the model's file says.")
    var processing: String?

    @Flag(help: "Say how images go in, and the labels of each output, besides the answers.")
    var details = false

    @Option(help: "Maximum number of timed runs, 1 to 10000.")
    var runs = 20

    @Option(help: "Seconds after the first run in which further runs may begin, up to 3600.")
    var seconds = 5.0

    @Flag(
        name: .customLong("try-escape"), help: ArgumentHelp("Try to escape from the sandbox.", visibility: .hidden))
    var triesEscape = false

    @Argument(help: ArgumentHelp("Files that an escape would open.", visibility: .hidden))
    var paths: [String] = []

    func run() throws {
        if triesEscape { EscapeAttempts.run(paths: paths) }
        if images { Probe.runImages(try imageLimits()) }
        if pack { Probe.pack() }
        guard measure else { Probe.run() }
        guard let plan = MeasurementPlan(runs: runs, seconds: seconds) else {
            throw ValidationError("--runs takes 1 to 10000, --seconds more than 0 and up to 3600.")
        }
        Probe.measure(plan)
    }

    private func imageLimits() throws -> ImageProbeLimits {
        guard var limits = threshold.map(ImageProbeLimits.init(threshold:)) ?? ImageProbeLimits() else {
            throw ValidationError("--threshold takes 0 to 1.")
        }
        limits.showsDetails = details
        if let processing, let refusal = limits.state(processing: processing) {
            throw ValidationError("--processing: \(refusal).")
        }
        return limits
    }
}

import Foundation
package import HearthArguments
import HearthModelFile
import TensorFlowLite

package struct BenchCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: CommandSummary.bench.name,
        abstract: CommandSummary.bench.abstract,
        discussion: """
            The command fills the inputs once, with values that look random and are the same every time: floats from 0 to 1, \
            8- and 16-bit integers over their whole range, wider integers 0 or 1. It times only the run itself. Percentiles \
            are nearest-rank, so each one is the time of a real run.

            The engine times operators in whole microseconds, rounded down, so fast operators show too little time. NODE is the \
            number of an operator in hearth inspect --operators. For operators that XNNPACK runs, it is the place in XNNPACK's \
            part of the model.
            """,
        examples: [
            "hearth bench flowers.tflite",
            "hearth bench flowers.tflite --threads 2 --profile",
            "hearth bench detector.tflite --shape 0=1x320x320x3 --json",
        ])

    @Argument(help: "A .tflite file, or an AutoML bundle (folder, manifest or zip).")
    var model: String

    @Option(help: ArgumentHelp("Processor threads that a run uses.", valueName: "count"))
    var threads = 1

    @Option(
        help: ArgumentHelp("Number of measured runs. Default: about 2 seconds, at least 20 runs.", valueName: "count"))
    var runs: Int?

    @Option(
        help: ArgumentHelp(
            "Number of runs before the measured ones, in addition to the first run. Default: half a second.",
            valueName: "count"))
    var warmUp: Int?

    @Option(help: ArgumentHelp("Implementations of the operators.", valueName: "kind"))
    var kernels = KernelChoice.xnnpack

    @Option(help: ArgumentHelp("Run this signature instead of the main graph.", valueName: "key"))
    var signature: String?

    @Option(
        help: ArgumentHelp(
            "Shape of an input, such as 0=1x224x224x3. May be given for several inputs.", valueName: "input=shape"))
    var shape: [String] = []

    @Flag(help: "Also show which operators take the time, in up to 1000 more runs.")
    var profile = false

    @Flag(help: "Print JSON.")
    var json = false

    package init() {}

    package func validate() throws {
        guard threads >= 1 else { throw ValidationError("--threads must be 1 or more.") }
        let most = RunPlan.maximumRequestedRuns
        if let runs, !(1...most).contains(runs) { throw ValidationError("--runs must be 1 to \(most).") }
        if let warmUp, !(0...most).contains(warmUp) { throw ValidationError("--warm-up must be 0 to \(most).") }
        _ = try shapes()
    }

    package func run() throws {
        let processors = max(1, ProcessInfo.processInfo.activeProcessorCount)
        if threads > processors {
            Output.note("warning: this machine has \(processors) processors; the engine uses no more threads than that")
        }
        let setting = BenchSetting(
            model: model, kernels: kernels, threads: min(threads, processors), signature: signature,
            isRunCountGiven: runs != nil)
        let result = try measure()
        if json { return try Output.json(BenchReport(result, setting)) }
        for line in BenchText.lines(result, setting) { Output.line(line) }
    }

    private func measure() throws -> BenchResult {
        do {
            return try Benchmark(
                loader: BenchLoader(path: model, signature: signature, shapes: try shapes()), options: options,
                runs: runs, warmUpRuns: warmUp, isProfiling: profile
            ).run()
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            let reason = BenchLoader.reason(of: error)
            throw CommandFailure(reason.contains(model) ? reason : "\(model): \(reason)", cause: error)
        }
    }

    private var options: Interpreter.Options {
        var options = Interpreter.Options()
        options.threadCount = threads
        options.kernelMode = kernels.mode
        return options
    }

    private func shapes() throws(ValidationError) -> [InputShape] {
        try shape.map { text throws(ValidationError) in
            guard let shape = InputShape(text) else {
                throw ValidationError(
                    "'\(text)' is not a shape. Write the input's name or place, '=' and its sizes: 0=1x224x224x3.")
            }
            return shape
        }
    }
}

/// The shape of one input, in the form of `--shape`: `NAME_OR_INDEX=1x224x224x3`.
struct InputShape: Equatable, Sendable {
    /// The input's name, or its index from 0.
    let input: String
    let dimensions: [Int]

    /// Nil if `text` has another form. The last `=` counts, because names may contain one.
    init?(_ text: String) {
        guard let sign = text.lastIndex(of: "="), sign != text.startIndex else { return nil }
        input = String(text[..<sign])
        let parts = text[text.index(after: sign)...].split(separator: "x", omittingEmptySubsequences: false)
        dimensions = parts.compactMap { Int32($0).flatMap { $0 > 0 ? Int($0) : nil } }
        guard dimensions.count == parts.count else { return nil }
    }

    /// The index of the input among `names`. A name has precedence over an index.
    func place(among names: [String]) throws(CommandFailure) -> Int {
        if let place = names.firstIndex(of: input) { return place }
        if let place = Int(input), names.indices.contains(place) { return place }
        let known = names.enumerated().map { "\($0.offset) '\($0.element)'" }.joined(separator: ", ")
        throw CommandFailure("The model has no input '\(input)'. Its inputs are: \(known.isEmpty ? "none" : known).")
    }
}

/// The implementations of the operators.
enum KernelChoice: String, CaseIterable, ExpressibleByArgument {
    /// XNNPACK's where it has one, else the engine's built-in ones.
    case xnnpack
    /// The engine's own optimized ones.
    case builtin
    /// The engine's plain ones, the reference for the others.
    case reference

    var mode: Interpreter.Options.KernelMode {
        switch self {
        case .xnnpack: .xnnPack
        case .builtin: .builtIn
        case .reference: .reference
        }
    }
}

/// The parameters of a measurement.
struct BenchSetting {
    /// The model as the user named it.
    var model: String
    var kernels: KernelChoice
    /// The threads of a run.
    var threads: Int
    var signature: String?
    /// Whether the user gave the number of runs.
    var isRunCountGiven: Bool
}

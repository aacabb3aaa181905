import Foundation
package import HearthArguments
import HearthModelFile
import TensorFlowLite

package struct BenchCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure how fast a model loads and runs.",
        discussion: """
            The inputs are filled once, with values that look random and are the same every time: floats from 0 to 1, \
            8- and 16-bit integers over their whole range, wider integers 0 or 1. What is timed is the run alone. \
            Percentiles are nearest-rank, so that each is the time of a run that happened.

            The engine times operators in whole microseconds, rounded down, so that quick ones show too little. NODE is \
            an operator's number as hearth inspect --operators tells it; of those that XNNPACK runs, the place in \
            XNNPACK's part of the model.
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

    @Option(help: ArgumentHelp("Runs to measure. Default: about 2 seconds, at least 20 runs.", valueName: "count"))
    var runs: Int?

    @Option(
        help: ArgumentHelp("Runs before those, not counting the first. Default: half a second.", valueName: "count"))
    var warmUp: Int?

    @Option(help: ArgumentHelp("Implementations of the operators.", valueName: "kind"))
    var kernels = KernelChoice.xnnpack

    @Option(help: ArgumentHelp("Run this signature in place of the main graph.", valueName: "key"))
    var signature: String?

    @Option(
        help: ArgumentHelp(
            "Shape of an input, such as 0=1x224x224x3. For each input that needs one.", valueName: "input=shape"))
    var shape: [String] = []

    @Flag(help: "Then show which operators take the time, in up to 1000 more runs.")
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
            Output.note("warning: this machine has \(processors) processors; no more threads than that are used")
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
            throw CommandFailure(reason.contains(model) ? reason : "\(model): \(reason)")
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

/// A shape for one input, as `--shape` gives it: `NAME_OR_INDEX=1x224x224x3`.
struct InputShape: Equatable, Sendable {
    /// The input's name, or its place counted from 0.
    let input: String
    let dimensions: [Int]

    /// Nil when `text` is something else. The last `=` counts: names may have some of their own.
    init?(_ text: String) {
        guard let sign = text.lastIndex(of: "="), sign != text.startIndex else { return nil }
        input = String(text[..<sign])
        let parts = text[text.index(after: sign)...].split(separator: "x", omittingEmptySubsequences: false)
        dimensions = parts.compactMap { Int32($0).flatMap { $0 > 0 ? Int($0) : nil } }
        guard dimensions.count == parts.count else { return nil }
    }

    /// The place of the input among `names`. A name goes before a place.
    func place(among names: [String]) throws(CommandFailure) -> Int {
        if let place = names.firstIndex(of: input) { return place }
        if let place = Int(input), names.indices.contains(place) { return place }
        let known = names.enumerated().map { "\($0.offset) '\($0.element)'" }.joined(separator: ", ")
        throw CommandFailure("The model has no input '\(input)'. Its inputs are: \(known.isEmpty ? "none" : known).")
    }
}

/// Which implementations of the operators a model runs on.
enum KernelChoice: String, CaseIterable, ExpressibleByArgument {
    /// XNNPACK's where it has one, else the built-in ones.
    case xnnpack
    /// The engine's own optimized ones.
    case builtin
    /// The engine's plain ones, which others are compared with.
    case reference

    var mode: Interpreter.Options.KernelMode {
        switch self {
        case .xnnpack: .xnnPack
        case .builtin: .builtIn
        case .reference: .reference
        }
    }
}

/// How a model was measured.
struct BenchSetting {
    /// As the user named it.
    var model: String
    var kernels: KernelChoice
    /// Those that a run used.
    var threads: Int
    var signature: String?
    /// Whether the user said how many runs.
    var isRunCountGiven: Bool
}

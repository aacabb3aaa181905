import Glibc
package import HearthCatalog
package import HearthWire

/// Runs one model on many images in the sandbox, because the server itself never parses bytes of models or images.
///
/// An image that ends the probe fails, and the probe is started again for the images after it, a limited number of
/// times. `run` blocks; call it from a thread that may wait.
package struct ImageRunner: Sendable {
    private let executable: String
    private let limits: RehearsalLimits
    private let options: ImageRunOptions

    /// - Parameter executable: a program that runs a model when it is started as `PROGRAM probe --images`.
    package init(
        executable: String, limits: RehearsalLimits = RehearsalLimits(), options: ImageRunOptions = ImageRunOptions()
    ) {
        self.executable = executable
        self.limits = limits
        self.options = options
    }

    /// The images of one run.
    package struct Source {
        let count: Int
        /// The bytes of the image with that index, from 0; nil if they cannot be read.
        let bytes: (Int) -> [UInt8]?
        /// Called when the model is loaded, with how images go in, if the options ask for it.
        let started: (ModelContract.Vision?) -> Void
        /// Called after each image, with its report.
        let finished: (Int, ImageProbeReport.Image) -> Void
        let isCancelled: () -> Bool

        package init(
            count: Int, bytes: @escaping (Int) -> [UInt8]?,
            started: @escaping (ModelContract.Vision?) -> Void = { _ in },
            finished: @escaping (Int, ImageProbeReport.Image) -> Void = { _, _ in },
            isCancelled: @escaping () -> Bool = { false }
        ) {
            self.count = count
            self.bytes = bytes
            self.started = started
            self.finished = finished
            self.isCancelled = isCancelled
        }
    }

    /// The reports on the images, in their order.
    ///
    /// - Parameter model: a descriptor of the model's file, which the caller keeps.
    /// - Throws: `ProbeFailure` if the model cannot be used for images, if the run was cancelled, or if no probe could
    ///   run because of the machine.
    package func run(model: Int32, on source: Source) throws -> [ImageProbeReport.Image] {
        var reports: [ImageProbeReport.Image] = []
        var starts = 0
        let deadline = ContinuousClock.now + .seconds(limits.versionWallSeconds)
        func add(_ report: ImageProbeReport.Image) {
            source.finished(reports.count, report)
            reports.append(report)
        }
        while reports.count < source.count {
            guard starts <= limits.restarts else {
                add(.init(failure: "Not run: more than \(limits.restarts) images before it ended the engine."))
                continue
            }
            starts += 1
            let process = try ImageProbeProcess(
                executable: executable, model: model, options: options, limits: limits,
                isCancelled: source.isCancelled)
            source.started(try start(process))
            var isAlive = true
            while isAlive, reports.count < source.count {
                guard ContinuousClock.now < deadline else {
                    add(.init(failure: "Not run: the images before it took \(limits.versionWallSeconds) seconds."))
                    continue
                }
                guard let bytes = source.bytes(reports.count) else {
                    add(.init(failure: "The server's copy of the image is missing or damaged; add the image again."))
                    continue
                }
                do {
                    let line = try process.answer(to: bytes)
                    add(ImageReportReader(limits: limits).image(line))
                } catch let interruption as ImageProbeProcess.Interruption {
                    if case .cancelled = interruption { throw ProbeFailure.stopping }
                    add(.init(failure: try failure(interruption)))
                    isAlive = false
                }
            }
        }
        return reports
    }

    /// How images go into the model, as far as the probe says it.
    private func start(_ process: ImageProbeProcess) throws -> ModelContract.Vision? {
        do {
            let line = try process.start()
            guard let start = try? WireJSON.decode(ImageProbeReport.Start.self, from: line) else {
                throw ProbeFailure("The probe gave no readable report on the model.", .model)
            }
            if let failure = start.failure {
                throw ProbeFailure(ImageReportReader(limits: limits).clean(failure), .model)
            }
            return ImageReportReader(limits: limits).vision(start)
        } catch let interruption as ImageProbeProcess.Interruption {
            if case .cancelled = interruption { throw ProbeFailure.stopping }
            if case .ended(.exited(ProbeExitCode.notRun, _)) = interruption { throw Self.notRun }
            throw ProbeFailure("The model could not be loaded. \(try failure(interruption))", .model)
        }
    }

    private static let notRun = ProbeFailure("This machine cannot run models on images; the server's log says why.")

    /// Why the image that was sent has no answer.
    private func failure(_ interruption: ImageProbeProcess.Interruption) throws -> String {
        switch interruption {
        case .usedUp: return "It took more than \(limits.answerProcessorSeconds) seconds of processor time."
        case .timedOut:
            return "It took longer than \(limits.answerWallSeconds) seconds; the machine may be too busy for it."
        case .lineTooLong: return "The probe printed more than \(limits.lineBytes) bytes."
        case .cancelled: throw ProbeFailure.stopping
        case .ended(.exited(let status, _)): return "The probe ended with exit code \(status)."
        case .ended(.killed(SIGXCPU)): return "The probe had used its processor time."
        case .ended(.killed(SIGSYS)): return "The probe was stopped: it made a system call that the sandbox forbids."
        case .ended(.killed(let signal)) where CrashSignals.all.contains(signal):
            return "It crashed the engine (signal \(signal), \(String(cString: strsignal(signal))))."
        case .ended(.killed(let signal)):
            return "The probe was stopped (signal \(signal)): it took too much memory or processor time."
        case .ended(.timedOut), .ended(.outputTooLarge): return "The probe closed its output and did not end."
        }
    }
}

/// How a probe runs a model on images.
package struct ImageRunOptions: Sendable, Hashable {
    /// The least confidence of an answer, 0 to 1; nil for the probe's own.
    package var threshold: Double?
    /// What takes precedence over the model's file. Its values must have been checked.
    package var processing = ImageProcessingBody()
    /// Whether to say how images go in, and the labels of each output.
    package var showsDetails = false

    package init(threshold: Double? = nil) { self.threshold = threshold }

    /// The text of a caller is never an argument: what was read of it is written again.
    var arguments: [String] {
        var arguments = threshold.map { ["--threshold", "\($0)"] } ?? []
        if !processing.isEmpty, let json = try? WireJSON.encode(processing) {
            arguments += ["--processing", String(decoding: json, as: UTF8.self)]
        }
        if showsDetails { arguments.append("--details") }
        return arguments
    }
}

/// Decodes the lines of a probe that runs a model on images. A malicious model or image may control the probe. So texts
/// are cut and cleaned, lists are limited, and numbers that no run produces make the line unreadable.
package struct ImageReportReader {
    let limits: RehearsalLimits

    /// More than any image that the probe decodes.
    private static let largestSide = 1 << 20
    private static let largestMemory = 1 << 40

    package init(limits: RehearsalLimits = RehearsalLimits()) { self.limits = limits }

    package func image(_ line: [UInt8]) -> ImageProbeReport.Image {
        guard let report = try? WireJSON.decode(ImageProbeReport.Image.self, from: line) else { return Self.unreadable }
        if let failure = report.failure {
            return .init(failure: clean(failure), isUnreadable: report.isUnreadable)
        }
        guard let answers = report.answers, answers.count <= limits.answers, answers.allSatisfy(isPossible),
            let width = report.width, let height = report.height, let microseconds = report.microseconds,
            (1...Self.largestSide).contains(width), (1...Self.largestSide).contains(height), microseconds >= 1,
            Double(microseconds) <= limits.answerWallSeconds * 1e6,
            (0...Self.largestMemory).contains(report.peakMemoryBytes ?? 0)
        else { return Self.unreadable }
        var cleaned = ImageProbeReport.Image(
            answers: answers.map(clean), width: width, height: height, microseconds: microseconds,
            peakMemoryBytes: report.peakMemoryBytes)
        if let outputs = report.outputs {
            guard outputs.allSatisfy({ $0.answers.allSatisfy(isPossible) }) else { return Self.unreadable }
            cleaned.outputs = outputs.map { .init(name: clean($0.name), answers: $0.answers.map(clean)) }
        }
        return cleaned
    }

    /// How images go in, by the line with which the probe begins.
    func vision(_ start: ImageProbeReport.Start) -> ModelContract.Vision? {
        start.vision.flatMap(VisionReader(limits: textLimits).clean)
    }

    func clean(_ text: String) -> String { TextSanitizer(limits: textLimits).clean(text) }

    private func clean(_ answer: ImageProbeReport.Answer) -> ImageProbeReport.Answer {
        .init(text: clean(answer.text), index: answer.index, confidence: answer.confidence, box: answer.box)
    }

    private var textLimits: ProbeLimits {
        var limits = ProbeLimits()
        limits.textCharacters = self.limits.textCharacters
        return limits
    }

    private func isPossible(_ answer: ImageProbeReport.Answer) -> Bool {
        guard answer.index >= 0, answer.confidence.isFinite else { return false }
        guard let box = answer.box else { return true }
        return box.count == 4 && box.allSatisfy { $0.isFinite && abs($0) <= Double(Self.largestSide) }
    }

    private static let unreadable = ImageProbeReport.Image(failure: "The probe gave no readable report on it.")
}

import HearthCatalog
import HearthWire

/// Decodes a probe's output. A malicious model may control the probe. So every text is cut and cleaned, every list is
/// limited, and a malformed report makes the file malformed. Measurements from this probe are ignored.
struct ReportReader {
    let limits: ProbeLimits

    /// The report of the first line, with what the second one says about images, if there is one.
    func read(_ output: [UInt8]) -> ProbeReport {
        let lines = output.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
        var report = report(lines.first ?? [])
        guard report.verdict == .ok, lines.count > 1 else { return report }
        report.contract?.vision = (try? WireJSON.decode(ModelContract.Vision.self, from: lines[1])).flatMap(clean)
        return report
    }

    /// The report of the first line of a probe that did not end as it should.
    /// - Returns: nil unless that line is whole, and says that the model is sound.
    func soundReport(in output: [UInt8]) -> ProbeReport? {
        guard let end = output.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let report = report(output[..<end])
        return report.verdict == .ok ? report : nil
    }

    private func report(_ line: ArraySlice<UInt8>) -> ProbeReport {
        guard let report = try? WireJSON.decode(ProbeReport.self, from: line) else {
            return ProbeReport(verdict: .malformed, message: "The check of the model gave no readable report.")
        }
        switch report.verdict {
        case .malformed:
            var malformed = ProbeReport(
                verdict: .malformed, message: clean(report.message ?? "The file is not a usable model."))
            malformed.isZip = report.isZip
            return malformed
        case .ok, .unsupported:
            guard let contract = report.contract, isWithinLimits(contract) else {
                return ProbeReport(verdict: .malformed, message: "The model's description is missing or too long.")
            }
            let message = report.verdict == .unsupported ? report.message ?? "This engine cannot run the model." : nil
            return ProbeReport(verdict: report.verdict, message: message.map(clean), contract: clean(contract))
        }
    }

    private func isWithinLimits(_ contract: ModelContract) -> Bool {
        let counts = [
            contract.inputs.count, contract.outputs.count, contract.operators.count, contract.signatures.count,
            (contract.inputs + contract.outputs).map(\.shape.count).max() ?? 0,
        ]
        return counts.allSatisfy { $0 <= limits.contractItems }
    }

    private func clean(_ contract: ModelContract) -> ModelContract {
        var contract = contract
        contract.inputs = contract.inputs.map(clean)
        contract.outputs = contract.outputs.map(clean)
        for index in contract.operators.indices {
            contract.operators[index].name = clean(contract.operators[index].name)
        }
        contract.signatures = contract.signatures.map(clean)
        contract.labelCount = contract.labelCount.flatMap { $0 >= 0 ? $0 : nil }
        contract.labelsSHA256 = contract.labelsSHA256.flatMap { isDigest($0) ? $0 : nil }
        // It has a line of its own.
        contract.vision = nil
        contract.title = contract.title.map(clean)
        contract.summary = contract.summary.map(clean)
        contract.author = contract.author.map(clean)
        contract.license = contract.license.map(clean)
        return contract
    }

    private func clean(_ tensor: ModelContract.Tensor) -> ModelContract.Tensor {
        var tensor = tensor
        tensor.name = clean(tensor.name)
        tensor.type = clean(tensor.type)
        return tensor
    }

    private func clean(_ vision: ModelContract.Vision) -> ModelContract.Vision? {
        VisionReader(limits: limits).clean(vision)
    }

    /// Whether the text is 64 lower-case hexadecimal digits.
    private func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    private func clean(_ text: String) -> String { TextSanitizer(limits: limits).clean(text) }
}

/// Makes what a probe says about images safe to store and to show.
struct VisionReader {
    let limits: ProbeLimits
    /// The most outputs that are described.
    private static let answerCount = 64

    /// - Returns: nil for what no sound probe prints.
    func clean(_ vision: ModelContract.Vision) -> ModelContract.Vision? {
        let cleaner = TextSanitizer(limits: limits)
        if let problem = vision.problem {
            let known = [ModelContract.Vision.normalization, ModelContract.Vision.layout].filter {
                vision.missing?.contains($0) == true
            }
            return ModelContract.Vision(problem: cleaner.clean(problem), missing: known.isEmpty ? nil : known)
        }
        guard let task = vision.task, ModelContract.Vision.knownTasks.contains(task),
            let processing = vision.processing, processing.refusal == nil, let images = vision.images,
            let answers = vision.answers
        else { return nil }
        return ModelContract.Vision(
            task: task, processing: processing, images: cleaner.clean(images),
            answers: answers.prefix(Self.answerCount).map(cleaner.clean), isGuess: vision.isGuess == true)
    }
}

/// Decodes a measuring probe's output. A malicious model may control the probe, so measurements that no real
/// measurement can produce are discarded.
struct MeasurementReader {
    let limits: ProbeLimits

    /// More RAM than any sandbox allows a process.
    private static let largestMemory = 1 << 40

    /// - Returns: a report with exactly one of measurements and failure.
    func read(_ output: [UInt8]) -> MeasurementReport {
        let cleaner = TextSanitizer(limits: limits)
        guard let report = try? WireJSON.decode(MeasurementReport.self, from: output) else { return Self.unreadable }
        if let failure = report.failure {
            return MeasurementReport(failure: "Running the model on zeros failed: \(cleaner.clean(failure))")
        }
        guard var figures = report.figures, isPossible(figures) else { return Self.unreadable }
        figures.engine = cleaner.clean(figures.engine)
        return MeasurementReport(figures: figures)
    }

    private static var unreadable: MeasurementReport {
        MeasurementReport(failure: "The measurement gave no readable figures.")
    }

    private func isPossible(_ figures: ModelMeasurements) -> Bool {
        let times = [figures.medianMicroseconds, figures.p90Microseconds, figures.loadMicroseconds]
        return figures.runs >= 1 && figures.runs <= limits.measuredRuns
            && times.allSatisfy { $0 >= 1 && Double($0) <= limits.measuringWallSeconds * 1e6 }
            && figures.medianMicroseconds <= figures.p90Microseconds
            && figures.peakMemoryBytes >= 1 && figures.peakMemoryBytes <= Self.largestMemory
    }
}

/// Makes texts of a probe safe to show.
struct TextSanitizer {
    let limits: ProbeLimits

    /// Cuts the text to the limit. Control characters, line breaks and marks that change the direction of text become
    /// spaces, so that no text can control a terminal, forge a log line or look like another text.
    func clean(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(limits.textCharacters).map { scalar in
            scalar.fitsOneLine ? scalar : " "
        }
        var cleaned = String.UnicodeScalarView()
        cleaned.append(contentsOf: scalars)
        return String(cleaned)
    }
}

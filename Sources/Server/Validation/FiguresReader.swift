import HearthWire

/// Decodes what a measuring probe printed. A model may have taken it over, so figures that no measurement of ours can
/// give are none.
struct FiguresReader {
    let limits: ProbeLimits

    /// More RAM than any cage lets a process have.
    private static let largestMemory = 1 << 40

    /// - Returns: Exactly one of the two.
    func read(_ output: [UInt8]) -> MeasurementReport {
        let cleaner = TextCleaner(limits: limits)
        guard let report = try? WireJSON.decode(MeasurementReport.self, from: output) else { return Self.nonsense }
        if let failure = report.failure {
            return MeasurementReport(failure: "Running the model on zeros failed: \(cleaner.clean(failure))")
        }
        guard var figures = report.figures, isPossible(figures) else { return Self.nonsense }
        figures.engine = cleaner.clean(figures.engine)
        return MeasurementReport(figures: figures)
    }

    private static var nonsense: MeasurementReport {
        MeasurementReport(failure: "The measurement gave no readable figures.")
    }

    private func isPossible(_ figures: ModelFigures) -> Bool {
        let times = [figures.medianMicroseconds, figures.p90Microseconds, figures.loadMicroseconds]
        return figures.runs >= 1 && figures.runs <= limits.measuredRuns
            && times.allSatisfy { $0 >= 1 && Double($0) <= limits.measuringWallSeconds * 1e6 }
            && figures.medianMicroseconds <= figures.p90Microseconds
            && figures.peakMemoryBytes >= 1 && figures.peakMemoryBytes <= Self.largestMemory
    }
}

/// The measurements of a model's runs. The machine that validated the model made them once, under its load at that
/// moment. They distinguish an expensive model from a cheap one; `hearth bench` measures exactly.
///
/// Measured on one thread, with inputs of zeros in the shapes of the file; open dimensions are 1.
public struct ModelMeasurements: Codable, Sendable, Equatable {
    /// The number of timed runs, after one run that was not timed; at least 1.
    public var runs: Int
    /// The time in microseconds that half of the runs did not exceed (the median), rounded up to at least 1.
    public var medianMicroseconds: Int
    /// The time in microseconds that nine of ten runs did not exceed, rounded up.
    public var p90Microseconds: Int
    /// The most bytes of RAM that the measuring process used at a time: for the model, the tensors, the engine and the
    /// program itself.
    public var peakMemoryBytes: Int
    /// Microseconds, rounded up, from the open file to a model that is ready for its first run.
    public var loadMicroseconds: Int
    /// The engine that ran the model, such as `LiteRT 2.3.0`.
    public var engine: String

    package init(
        runs: Int, medianMicroseconds: Int, p90Microseconds: Int, peakMemoryBytes: Int, loadMicroseconds: Int,
        engine: String
    ) {
        self.runs = runs
        self.medianMicroseconds = medianMicroseconds
        self.p90Microseconds = p90Microseconds
        self.peakMemoryBytes = peakMemoryBytes
        self.loadMicroseconds = loadMicroseconds
        self.engine = engine
    }
}

/// What `hearth probe --measure` prints, as one JSON object on standard output: measurements, or why there are none.
package struct MeasurementReport: Codable, Sendable, Equatable {
    package var figures: ModelMeasurements?
    /// One line: why there are no measurements.
    package var failure: String?

    package init(figures: ModelMeasurements) { self.figures = figures }

    package init(failure: String) { self.failure = failure }
}

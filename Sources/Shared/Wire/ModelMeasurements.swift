/// What it takes to run a model, as the machine that validated it measured it once: figures of that machine at that
/// moment, whatever else it was doing. They tell a heavy model from a light one; `hearth bench` measures exactly.
///
/// Measured on one thread, with inputs of zeros in the shapes that the file states; open dimensions are 1.
public struct ModelMeasurements: Codable, Sendable, Equatable {
    /// Runs that were timed, after one that was not; at least 1.
    public var runs: Int
    /// Microseconds that half of the runs did not exceed, rounded up to 1 at least.
    public var medianMicroseconds: Int
    /// Microseconds that nine of ten runs did not exceed, rounded up.
    public var p90Microseconds: Int
    /// The most bytes of RAM that the measuring process held at a time: model, tensors, engine and the program itself.
    public var peakMemoryBytes: Int
    /// Microseconds, rounded up, from the open file to a model that is ready for its first run.
    public var loadMicroseconds: Int
    /// What ran the model, such as `LiteRT 2.3.0`.
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

/// What `hearth probe --measure` prints, as one JSON object on standard output: figures, or why there are none.
package struct MeasurementReport: Codable, Sendable, Equatable {
    package var figures: ModelMeasurements?
    /// One line.
    package var failure: String?

    package init(figures: ModelMeasurements) { self.figures = figures }

    package init(failure: String) { self.failure = failure }
}

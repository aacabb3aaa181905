import HearthLocalCommands
import HearthWire

/// What running a model took, for people to read.
enum FiguresText {
    /// That half of the runs did not exceed.
    static func latency(_ figures: ModelFigures) -> String { time(figures.medianMicroseconds) }

    /// At the peak, engine included.
    static func memory(_ figures: ModelFigures) -> String { ByteCount.text(UInt64(max(0, figures.peakMemoryBytes))) }

    /// Without decimals that were not measured.
    private static func time(_ microseconds: Int) -> String {
        microseconds < 1000 ? "\(microseconds) us" : Duration.microseconds(microseconds).text
    }
}

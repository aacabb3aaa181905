import HearthWire
import Testing

@testable import HearthManagementCommands

@Suite struct MeasurementsTextTests {
    private func measurements(_ change: (inout ModelMeasurements) -> Void = { _ in }) -> ModelMeasurements {
        var result = ModelMeasurements(
            runs: 20, medianMicroseconds: 940, p90Microseconds: 1234, peakMemoryBytes: 45 << 20,
            loadMicroseconds: 2_500_000, engine: "LiteRT 2.3.0")
        change(&result)
        return result
    }

    @Test func measurementsHaveSuitableUnits() {
        #expect(MeasurementsText.latency(measurements()) == "940 us")
        #expect(MeasurementsText.latency(measurements { $0.medianMicroseconds = 1234 }) == "1.23 ms")
        #expect(MeasurementsText.latency(measurements { $0.medianMicroseconds = 2_500_000 }) == "2.50 s")
        #expect(MeasurementsText.memory(measurements()) == "45.0 MiB")
    }

    /// They come from a server.
    @Test func impossibleMeasurementsDoNoHarm() {
        for number in [Int.min, -1, 0, .max] {
            let absurd = measurements {
                $0.medianMicroseconds = number
                $0.peakMemoryBytes = number
            }
            #expect(!MeasurementsText.latency(absurd).isEmpty)
            #expect(MeasurementsText.memory(absurd).hasPrefix("0") == (number <= 0))
        }
    }
}

import HearthWire
import Testing

@testable import HearthCommandLine

@Suite struct FiguresTextTests {
    private func figures(_ change: (inout ModelFigures) -> Void = { _ in }) -> ModelFigures {
        var figures = ModelFigures(
            runs: 20, medianMicroseconds: 940, p90Microseconds: 1234, peakMemoryBytes: 45 << 20,
            loadMicroseconds: 2_500_000, engine: "LiteRT 2.3.0")
        change(&figures)
        return figures
    }

    @Test func figuresAreToldInUnitsThatFit() {
        #expect(
            FiguresText.lines(figures()) == [
                "latency:    940 us median, 1.23 ms p90 (20 runs, 1 thread, LiteRT 2.3.0)",
                "load:       2.50 s",
                "memory:     45.0 MiB at the peak, engine included",
            ])
        #expect(FiguresText.lines(figures { $0.runs = 1 })[0].contains("(1 run, "))
    }

    /// They come from a server.
    @Test func absurdFiguresDoNoHarm() {
        for number in [Int.min, -1, 0, .max] {
            let lines = FiguresText.lines(
                figures {
                    $0.runs = number
                    $0.medianMicroseconds = number
                    $0.p90Microseconds = number
                    $0.peakMemoryBytes = number
                    $0.loadMicroseconds = number
                    $0.engine = "x\u{1B}[2J\n"
                })
            #expect(lines.count == 3)
            #expect(!lines.contains { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } })
        }
    }
}

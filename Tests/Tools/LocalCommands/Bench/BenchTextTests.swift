import HearthModelFile
import Testing

@testable import HearthLocalCommands

@Suite struct BenchTextTests {
    private func lines(
        latency: [Duration] = [.milliseconds(9), .milliseconds(10), .milliseconds(11)], name: String = "image",
        profile: BenchProfile? = nil, isRunCountGiven: Bool = true
    ) throws -> [String] {
        var load = BenchLoader.Times()
        load.open = .microseconds(500)
        load.compile = .milliseconds(2)
        let result = BenchResult(
            modelByteCount: 2048, inputs: [.init(name: name, type: .uint8, shape: [1, 4])], load: load,
            firstRun: .milliseconds(20), warmUpRuns: 1, latency: try #require(LatencySummary(latency)),
            memory: .init(peak: 3 << 20, loadGrowth: 1 << 20), profile: profile)
        let setting = BenchSetting(
            model: "m.tflite", kernels: .builtin, threads: 2, signature: "f", isRunCountGiven: isRunCountGiven)
        return BenchText.lines(result, setting)
    }

    @Test func everythingInOneLook() throws {
        let text = try lines().joined(separator: "\n")
        #expect(
            text == """
                model:      m.tflite (2.0 KiB)
                engine:     LiteRT 2.3.0, builtin kernels, 2 threads
                signature:  f
                input:      image uint8 [1, 4]
                load:       2.50 ms (open 500.00 us, compile 2.00 ms, allocate 0.00 us)
                memory:     3.0 MiB at the peak; loading raised it by 1.0 MiB
                first run:  20.00 ms
                warm-up:    1 run
                measured:   3 runs
                  min:       9.00 ms
                  median:   10.00 ms
                  p90:      11.00 ms
                  p99:      11.00 ms
                  max:      11.00 ms
                  mean:     10.00 ms
                """)
    }

    @Test func aChosenNumberOfRunsIsExplained() throws {
        let line = try lines(isRunCountGiven: false).first { $0.hasPrefix("measured:") }
        #expect(line == "measured:   3 runs (chosen for about 2 s, within 20 to 100000)")
    }

    @Test func oneUnitForAllPercentiles() throws {
        let lines = try lines(latency: [.microseconds(40), .microseconds(50), .seconds(1)])
        #expect(lines.contains("  min:           40.00 us") && lines.contains("  max:      1000000.00 us"))
    }

    @Test func namesCannotMoveTheCursor() throws {
        #expect(try lines(name: "a\u{1B}[2J\n").contains("input:      a?[2J? uint8 [1, 4]"))
    }

    @Test func onlyTheSlowestOperatorsAreShown() throws {
        let operators = (0..<12).map {
            BenchProfile.Operator(
                name: "OP\($0)", node: $0, isDelegated: $0 == 11, calls: 4, total: .milliseconds($0))
        }
        let lines = try lines(profile: BenchProfile(runs: 4, operators: operators))
        #expect(
            lines.suffix(3).first == ""
                && lines.dropLast().last == "The slowest 10 of 12 operators, in 4 runs of their own:")
        let rows = try #require(lines.last).split(separator: "\n")
        #expect(rows.count == 11)
        #expect(rows[1] == "  11  OP11      XNNPACK  16.7 %      4  11.00 ms  2.75 ms")
        #expect(rows[10] == "   2  OP2       engine    3.0 %      4   2.00 ms  0.50 ms")
    }

    @Test func aProfileWithoutOperatorsSaysSo() throws {
        let lines = try lines(profile: BenchProfile(runs: 4, operators: []))
        #expect(lines.last == "The engine measured no operator.")
    }
}

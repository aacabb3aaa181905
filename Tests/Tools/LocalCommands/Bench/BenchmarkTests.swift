import HearthArguments
import Synchronization
import Testing

@testable import HearthLocalCommands

@Suite struct RunPlanTests {
    @Test(arguments: [
        (Duration.milliseconds(1), 2000), (.milliseconds(100), 20), (.seconds(5), 20), (.nanoseconds(1), 100_000),
        (.zero, 100_000), (.seconds(Int64.max), 20),
    ])
    func theTimeIsFilledWithinTheBounds(each: Duration, runs: Int) {
        #expect(RunPlan.runs(filling: .seconds(2), each: each) == runs)
    }
}

@Suite struct RunProgressTests {
    private final class Screen: Sendable {
        private let texts = Mutex<[String]>([])
        private let columns: Int
        private let isInteractive: Bool

        init(columns: Int = 80, isInteractive: Bool = true) {
            self.columns = columns
            self.isInteractive = isInteractive
        }

        var written: [String] { texts.withLock { $0 } }

        var terminal: Terminal {
            Terminal(
                isInteractive: isInteractive, columns: { [columns] in columns },
                write: { text in self.texts.withLock { $0.append(text) } })
        }
    }

    private let start = ContinuousClock.now

    @Test func drawingsAreRateLimitedAndClearedAtTheEnd() {
        let screen = Screen()
        do {
            let progress = RunProgress(terminal: screen.terminal)
            for milliseconds in [0, 50, 99, 100, 150] {
                progress.update("Measuring", done: milliseconds, total: 200, at: start + .milliseconds(milliseconds))
            }
            #expect(
                screen.written == ["\rMeasuring: 0 of 200 runs\u{1B}[K", "\rMeasuring: 100 of 200 runs\u{1B}[K"])
        }
        #expect(screen.written.last == "\r\u{1B}[K")
    }

    @Test func anUnknownTotalIsLeftOut() {
        let screen = Screen()
        RunProgress(terminal: screen.terminal).update("Warming up", done: 3, total: nil, at: start)
        #expect(screen.written.first == "\rWarming up: 3 runs\u{1B}[K")
    }

    @Test func aNarrowTerminalGetsWhatFits() {
        for (columns, text) in [(10, "\rMeasuring\u{1B}[K"), (1, "\r\u{1B}[K"), (0, "\r\u{1B}[K")] {
            let screen = Screen(columns: columns)
            RunProgress(terminal: screen.terminal).update("Measuring", done: 1, total: 2, at: start)
            #expect(screen.written.first == text)
        }
    }

    @Test func withoutATerminalItIsSilent() {
        let screen = Screen(isInteractive: false)
        RunProgress(terminal: screen.terminal).update("Measuring", done: 1, total: 2, at: start)
        #expect(screen.written.isEmpty)
    }
}

@Suite struct ResidentMemoryTests {
    @Test func theSystemTells() throws {
        #expect(try #require(ResidentMemory.peak()) > 1 << 20)
    }

    @Test func thePeakIsFoundAmongTheOthers() {
        let status = "Name:\thearth\nVmPeak:\t  900 kB\nVmHWM:\t    5120 kB\nVmRSS:\t  4000 kB\n"
        #expect(ResidentMemory.peak(inStatus: status) == 5_242_880)
    }

    @Test(arguments: [
        "", "VmRSS:\t4000 kB", "VmHWM:", "VmHWM:\t x kB", "VmHWM:\t-1 kB", "VmHWM:\t5 MB",
        "VmHWM:\t18446744073709551615 kB",
    ])
    func anythingElseIsNotKnown(status: String) {
        #expect(ResidentMemory.peak(inStatus: status) == nil)
    }
}

import HearthArguments
import Synchronization
import Testing

@Suite struct ProgressBarTests {
    @Test func drawingsAreRateLimitedAndClearedAtTheEnd() {
        let screen = Screen()
        let bar = screen.bar()
        for milliseconds in [0, 50, 99, 100, 150, 199, 200] {
            screen.set(time: .milliseconds(milliseconds))
            bar.update(completed: UInt64(milliseconds) * 10_486, total: 2_097_152)
        }
        #expect(screen.written.count == 3)
        #expect(screen.written.allSatisfy { $0.hasPrefix("\rm  ") && $0.hasSuffix("\u{1B}[K") })
        #expect(screen.written.last?.contains("10.0 MiB/s") == true)
        bar.finish()
        #expect(screen.written.last == "\r\u{1B}[K")
    }

    @Test func afterTheEndNothingIsDrawn() {
        let screen = Screen()
        let bar = screen.bar()
        bar.update(completed: 1, total: 2)
        bar.finish()
        bar.finish()
        screen.set(time: .seconds(9))
        bar.update(completed: 2, total: 2)
        #expect(screen.written.count == 2)
    }

    @Test func aBarThatIsDroppedClearsItsLine() {
        let screen = Screen()
        do {
            let bar = screen.bar()
            bar.update(completed: 1, total: 2)
        }
        #expect(screen.written.last == "\r\u{1B}[K")
    }

    @Test func aClearedLineIsDrawnAgainAtTheNextUpdate() {
        let screen = Screen()
        let bar = screen.bar()
        bar.update(completed: 1, total: 2)
        bar.clear()
        #expect(screen.written.last == "\r\u{1B}[K")
        bar.update(completed: 1, total: 2)
        #expect(screen.written.count == 3)
    }

    @Test func withoutATerminalItIsSilent() {
        let screen = Screen(isInteractive: false)
        let bar = screen.bar()
        bar.update(completed: 1, total: 2)
        bar.finish()
        #expect(screen.written.isEmpty)
    }

    @Test func aResizedWindowCountsFromTheNextDrawing() {
        let screen = Screen()
        let bar = screen.bar()
        bar.update(completed: 1, total: 2)
        screen.set(columns: 9)
        screen.set(time: .seconds(1))
        bar.update(completed: 1, total: 2)
        #expect(screen.written.last == "\rm   50%\u{1B}[K")
    }

    @Test func aCounterThatRunsBackwardsDoesNoHarm() {
        let screen = Screen()
        let bar = screen.bar()
        bar.update(completed: 100, total: 200)
        screen.set(time: .seconds(1))
        bar.update(completed: 0, total: 200)
        #expect(screen.written.count == 2)
    }

    @Test func manyThreadsMayReport() async {
        let screen = Screen()
        let bar = screen.bar()
        await withTaskGroup { group in
            for thread in 0..<8 {
                group.addTask {
                    for step in 0..<100 { bar.update(completed: UInt64(thread * step), total: 800) }
                }
            }
        }
        #expect(screen.written.count == 1)
    }
}

/// A terminal and a clock under the test's control.
private final class Screen: Sendable {
    private struct State {
        var time = Duration.zero
        var columns = 80
        var written: [String] = []
    }

    private let state = Mutex(State())
    private let isInteractive: Bool

    init(isInteractive: Bool = true) {
        self.isInteractive = isInteractive
    }

    var written: [String] { state.withLock { $0.written } }

    func set(time: Duration) { state.withLock { $0.time = time } }

    func set(columns: Int) { state.withLock { $0.columns = columns } }

    func bar() -> ProgressBar {
        let terminal = Terminal(
            isInteractive: isInteractive,
            columns: { self.state.withLock { $0.columns } },
            write: { text in self.state.withLock { $0.written.append(text) } })
        return ProgressBar(label: "m", terminal: terminal, now: { self.state.withLock { $0.time } })
    }
}

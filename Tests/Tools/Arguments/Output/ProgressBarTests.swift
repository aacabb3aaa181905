import Synchronization
import Testing

@testable import HearthArguments

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

@Suite struct ProgressLineTests {
    private static let mebibyte: UInt64 = 1_048_576

    private func text(
        label: String = "cat.tflite", completed: UInt64 = 5 * mebibyte, total: UInt64? = 20 * mebibyte,
        transferred: UInt64? = nil, elapsed: Duration = .seconds(2), columns: Int = 100
    ) -> String {
        ProgressLine(
            label: label, completed: completed, total: total, transferred: transferred ?? completed, elapsed: elapsed
        ).text(columns: columns)
    }

    @Test func aWideTerminalShowsEverything() {
        #expect(text() == "cat.tflite   25%  [#####---------------]  5.0/20.0 MiB  2.5 MiB/s  ETA 0:06")
        #expect(
            text(completed: 20 * Self.mebibyte)
                == "cat.tflite  100%  [####################]  20.0/20.0 MiB  10.0 MiB/s  ETA 0:00")
    }

    @Test func piecesAreCountedWhole() {
        let line = ProgressLine(
            label: "Labeling", unit: .pieces, completed: 25, total: 100, transferred: 25, elapsed: .seconds(2))
        #expect(line.text(columns: 100) == "Labeling   25%  [#####---------------]  25/100  12.5/s  ETA 0:06")
    }

    @Test func withoutATotalThereIsNoPercentNorEnd() {
        #expect(text(total: nil) == "cat.tflite  5.0 MiB  2.5 MiB/s")
        #expect(text(total: 0) == "cat.tflite  5.0 MiB  2.5 MiB/s")
    }

    @Test func beforeAnythingMovedThereIsNoRate() {
        #expect(text(completed: 0, elapsed: .zero) == "cat.tflite    0%  [--------------------]  0.0/20.0 MiB")
    }

    @Test func theRateOfAResumedTransferCountsOnlyWhatMoved() {
        #expect(
            text(completed: 10 * Self.mebibyte, transferred: 2 * Self.mebibyte)
                == "cat.tflite   50%  [##########----------]  10.0/20.0 MiB  1.0 MiB/s  ETA 0:10")
    }

    @Test func longTimesShowHoursAndHopelessOnesNothing() {
        #expect(text(elapsed: .seconds(1300)).hasSuffix("ETA 1:05:00"))
        #expect(text(completed: 1, total: .max).contains("ETA") == false)
    }

    @Test func absurdNumbersAreShownWithoutHarm() {
        #expect(text(completed: .max, total: 1).contains("100%"))
        #expect(text(completed: .max, total: .max, elapsed: .nanoseconds(1)).contains("100%"))
        #expect(text(elapsed: .seconds(-5)).contains("25%"))
    }

    @Test func theLineNeverReachesTheLastColumn() {
        for label in ["cat.tflite", "", String(repeating: "x", count: 300), "猫猫猫猫猫猫猫猫猫猫"] {
            for total in [nil, 20 * Self.mebibyte] {
                for columns in -3...120 {
                    #expect(text(label: label, total: total, columns: columns).displayWidth < max(columns, 1))
                }
            }
        }
    }

    @Test func narrowTerminalsKeepWhatMattersMost() {
        #expect(text(columns: 68) == "cat.tflite   25%  [###---------]  5.0/20.0 MiB  2.5 MiB/s  ETA 0:06")
        #expect(text(columns: 60) == "cat.tflite   25%  [###-----------]  5.0/20.0 MiB  2.5 MiB/s")
        #expect(text(columns: 45) == "cat.tflite   25%  [##--------]  5.0/20.0 MiB")
        #expect(text(columns: 31) == "cat.tflite   25%  [##--------]")
        #expect(text(columns: 20) == "cat.tflite   25%")
        #expect(text(columns: 16) == "cat.tfli…   25%")
        #expect(text(columns: 10) == " 25%")
        #expect(text(columns: 4) == "")
    }

    @Test(arguments: [80, 40])
    func anUploadHasItsBarOnEveryUsualTerminal(columns: Int) {
        for name in ["a", "flowers", "salad-detector", String(repeating: "x", count: 32)] {
            let line = ProgressLine(
                label: "Uploading \(name)", completed: 97 * Self.mebibyte, total: 194 * Self.mebibyte,
                transferred: 97 * Self.mebibyte, elapsed: .seconds(60)
            ).text(columns: columns)
            #expect(line.contains(" 50%  [##") && line.displayWidth < columns, "\(line)")
        }
    }

    @Test func controlCharactersInTheLabelAreMadeHarmless() {
        #expect(text(label: "a\r\u{1B}[2Jb\n").hasPrefix("a \u{FFFD}[2Jb   25%"))
    }
}

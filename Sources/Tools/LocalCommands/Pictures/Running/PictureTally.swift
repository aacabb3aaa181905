import HearthArguments
import Synchronization

/// Prints what came of pictures, counts them, and shows on a terminal how far the work is.
final class PictureTally: Sendable {
    struct Item: Sendable {
        let outcome: PictureOutcome
        /// How many pictures there will be; nil while nobody knows.
        let total: UInt64?
    }

    private struct Counts {
        var done: UInt64 = 0
        var failed: UInt64 = 0
        var isReaderGone = false
    }

    private let counts = Mutex(Counts())
    private let bar: ProgressBar?
    private let start = ContinuousClock.now
    private let cancellation: Cancellation

    /// - Parameter cancellation: Is cancelled when nothing more can be printed.
    init(label: String, cancellation: Cancellation) {
        // Results that go to the terminal show the progress themselves.
        bar = Terminal.standardOutputIsInteractive ? nil : ProgressBar(label: label, unit: .pieces)
        self.cancellation = cancellation
    }

    var hasFailures: Bool { counts.withLock { $0.failed > 0 } }

    func count(_ item: Item) {
        counts.withLock { counts in
            guard !counts.isReaderGone else { return }
            counts.done += 1
            if item.outcome.isFailure { counts.failed += 1 }
            if let note = item.outcome.note {
                bar?.clear()
                Output.note(note)
            }
            if !item.outcome.output.isEmpty, !Output.write(item.outcome.output) {
                counts.isReaderGone = true
                cancellation.cancel()
            }
            bar?.update(completed: counts.done, total: item.total)
        }
    }

    /// Ends the progress line and sums up, unless nobody reads the results any more.
    func finish() {
        bar?.finish()
        let counts = counts.withLock { $0 }
        guard !counts.isReaderGone else { return }
        Output.note(
            PictureSummary(done: counts.done, failed: counts.failed, elapsed: ContinuousClock.now - start).description)
    }
}

import Foundation
import HearthConcurrency

/// A progress line that redraws itself in place on a terminal, and is silent where there is none.
///
/// At most one drawing per ``interval``; ``finish()`` (or the end of the bar's life) clears the line.
package final class ProgressBar: ProgressReporter {
    /// The shortest time between two drawings.
    package static let interval = Duration.milliseconds(100)

    private struct State {
        var first: (time: Duration, completed: UInt64)?
        var lastDrawing: Duration?
        var isFinished = false
    }

    private let label: String
    private let unit: ProgressUnit
    private let terminal: Terminal
    private let now: @Sendable () -> Duration
    private let state = Lock(State())

    /// - Parameters:
    ///   - label: What is done.
    ///   - unit: What is counted.
    ///   - terminal: Where to draw.
    ///   - now: The time since any fixed moment; must not run backwards. `nil` takes the system's monotonic clock.
    package init(
        label: String, unit: ProgressUnit = .bytes, terminal: Terminal = .standardError,
        now: (@Sendable () -> Duration)? = nil
    ) {
        self.label = label
        self.unit = unit
        self.terminal = terminal
        let start = ContinuousClock.now
        self.now = now ?? { ContinuousClock.now - start }
    }

    deinit {
        finish()
    }

    package func update(completed: UInt64, total: UInt64?) {
        guard terminal.isInteractive else { return }
        // Written under the lock, so that lines of two threads do not mix.
        state.withLock { state in
            guard !state.isFinished else { return }
            let time = now()
            let first = state.first ?? (time, completed)
            state.first = first
            if let last = state.lastDrawing, time - last < Self.interval { return }
            state.lastDrawing = time
            let line = ProgressLine(
                label: label, unit: unit, completed: completed, total: total,
                transferred: completed > first.completed ? completed - first.completed : 0, elapsed: time - first.time)
            terminal.write("\r" + line.text(columns: terminal.columns()) + Self.clearToEndOfLine)
        }
    }

    /// Takes the line away, so that something else can be printed; the next update draws it again.
    package func clear() {
        state.withLock { state in
            if state.lastDrawing != nil && !state.isFinished { terminal.write("\r" + Self.clearToEndOfLine) }
            state.lastDrawing = nil
        }
    }

    package func finish() {
        state.withLock { state in
            if state.lastDrawing != nil && !state.isFinished { terminal.write("\r" + Self.clearToEndOfLine) }
            state.isFinished = true
        }
    }

    private static let clearToEndOfLine = "\u{1B}[K"
}

/// Receives how far a transfer is. Any thread may call it.
package protocol ProgressReporter: Sendable {
    /// Bytes done, of how many where that is known. `completed` includes bytes from an earlier, resumed try.
    func update(completed: UInt64, total: UInt64?)

    /// The transfer is over, well or not. Later calls do nothing.
    func finish()
}

/// What a progress line counts.
package enum ProgressUnit: Sendable {
    /// Shown in MiB.
    case bytes
    /// Whole things, such as files.
    case pieces

    private static let bytesPerMiB = 1_048_576.0

    func text(_ count: UInt64) -> String {
        switch self {
        case .bytes: String(format: "%.1f", Double(count) / Self.bytesPerMiB)
        case .pieces: "\(count)"
        }
    }

    var suffix: String {
        switch self {
        case .bytes: " MiB"
        case .pieces: ""
        }
    }

    func rate(_ perSecond: Double) -> String {
        switch self {
        case .bytes: String(format: "%.1f MiB/s", perSecond / Self.bytesPerMiB)
        case .pieces: String(format: "%.1f/s", perSecond)
        }
    }
}

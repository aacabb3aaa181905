import Foundation
import HearthConcurrency

/// A progress line that redraws itself in place on a terminal. Elsewhere it is silent.
///
/// Draws at most once per ``interval``. ``finish()`` clears the line, and so does the end of the bar's life.
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
    ///   - label: The name of the work.
    ///   - unit: The unit of the counts.
    ///   - terminal: Where to draw.
    ///   - now: The time since any fixed moment; must not go back. `nil` takes the system's monotonic clock.
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
        // Writes under the lock, so that lines of two threads do not mix.
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

    /// Clears the line, so that other text can be printed; the next update draws it again.
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
    /// The number of bytes done, and the total if it is known. `completed` includes bytes from an earlier, resumed try.
    func update(completed: UInt64, total: UInt64?)

    /// The transfer has ended, with or without success. Later calls do nothing.
    func finish()
}

/// The unit of a progress line.
package enum ProgressUnit: Sendable {
    /// Shown in MiB.
    case bytes
    /// Whole items, such as files.
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

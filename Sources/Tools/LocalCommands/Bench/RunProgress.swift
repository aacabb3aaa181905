import HearthArguments

/// A line that tells on a terminal how many runs are done, and is silent where there is none.
final class RunProgress {
    private static let interval = Duration.milliseconds(100)
    private static let clearToEndOfLine = "\u{1B}[K"

    private let terminal: Terminal
    private var lastDrawing: ContinuousClock.Instant?

    init(terminal: Terminal = .standardError) { self.terminal = terminal }

    deinit { clear() }

    /// - Parameter total: nil while nobody knows.
    func update(_ phase: String, done: Int, total: Int?, at time: ContinuousClock.Instant) {
        guard terminal.isInteractive else { return }
        if let lastDrawing, time - lastDrawing < Self.interval { return }
        lastDrawing = time
        let text = "\(phase): \(done)" + (total.map { " of \($0)" } ?? "") + " runs"
        // The last column stays free: writing into it makes some terminals wrap.
        terminal.write("\r" + text.prefix(max(terminal.columns(), 1) - 1) + Self.clearToEndOfLine)
    }

    func clear() {
        guard lastDrawing != nil else { return }
        terminal.write("\r" + Self.clearToEndOfLine)
        lastDrawing = nil
    }
}

import Foundation

/// The place where a progress line is drawn. Its members are functions, so that tests can replace it.
package struct Terminal: Sendable {
    /// Whether a user watches, and the cursor can be moved.
    package let isInteractive: Bool
    /// The width in columns at this moment. Read before each drawing, because windows are resized.
    package let columns: @Sendable () -> Int
    /// Writes a text unchanged.
    package let write: @Sendable (String) -> Void

    package init(
        isInteractive: Bool, columns: @escaping @Sendable () -> Int, write: @escaping @Sendable (String) -> Void
    ) {
        self.isInteractive = isInteractive
        self.columns = columns
        self.write = write
    }

    /// The program's standard error. A failed write is not reported. Wraps `isatty` and `ioctl(TIOCGWINSZ)`.
    package static let standardError = Terminal(
        isInteractive: isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb",
        columns: {
            var size = winsize()
            guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
            return Int(size.ws_col)
        },
        write: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) })

    /// Whether standard output is a terminal. Wraps `isatty`.
    package static var standardOutputIsInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The width of the terminal behind standard output; nil for a file or a pipe. Wraps `ioctl(TIOCGWINSZ)`.
    package static var standardOutputColumns: Int? {
        guard standardOutputIsInteractive else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}

/// The colours of messages on a terminal: errors red, warnings yellow, success green. In files and pipes, text has no colours.
package struct TextColors: Hashable, Sendable {
    /// Whether there are colours.
    package let areOn: Bool

    private static let (red, yellow, green) = ("1;31", "1;33", "32")

    /// - Parameters:
    ///   - isTerminal: whether the text goes to a terminal.
    ///   - environment: `NO_COLOR`, unless it is empty, switches colours off (https://no-color.org), and so does a `TERM` that
    ///     is missing or `dumb`.
    package init(isTerminal: Bool, environment: [String: String]) {
        let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        let terminal = environment["TERM"] ?? ""
        areOn = isTerminal && !isRefused && !terminal.isEmpty && terminal != "dumb"
    }

    /// The colours for standard error. Wraps `isatty`.
    package static let standardError = TextColors(
        isTerminal: isatty(STDERR_FILENO) == 1, environment: ProcessInfo.processInfo.environment)

    /// The colours for standard output. Wraps `isatty`.
    package static let standardOutput = TextColors(
        isTerminal: isatty(STDOUT_FILENO) == 1, environment: ProcessInfo.processInfo.environment)

    /// The text in the colour of success.
    package func success(_ text: String) -> String { painted(text, Self.green) }

    /// The text, with its first word coloured if that is `error:` or `warning:`.
    package func notice(_ text: String) -> String {
        for (word, color) in [("error:", Self.red), ("warning:", Self.yellow)] where text.hasPrefix(word) {
            return painted(word, color) + text.dropFirst(word.count)
        }
        return text
    }

    private func painted(_ text: String, _ color: String) -> String {
        areOn ? "\u{1B}[\(color)m\(text)\u{1B}[0m" : text
    }
}

import Foundation

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

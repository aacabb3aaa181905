import Foundation

/// The colours of what the program says to a terminal: errors red, warnings yellow, success green. Elsewhere, as in files and
/// pipes, everything stays as it is.
public struct TextColors: Hashable, Sendable {
    /// Whether there are colours at all.
    public let areOn: Bool

    private static let (red, yellow, green) = ("1;31", "1;33", "32")

    /// - Parameters:
    ///   - isTerminal: whether the text goes to a terminal.
    ///   - environment: `NO_COLOR`, unless it is empty, switches colours off (https://no-color.org), and so does a `TERM` that
    ///     is missing or `dumb`.
    public init(isTerminal: Bool, environment: [String: String]) {
        let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        let terminal = environment["TERM"] ?? ""
        areOn = isTerminal && !isRefused && !terminal.isEmpty && terminal != "dumb"
    }

    /// Those of the program's standard error. Wraps `isatty`.
    public static let standardError = TextColors(
        isTerminal: isatty(STDERR_FILENO) == 1, environment: ProcessInfo.processInfo.environment)

    /// Those of the program's standard output. Wraps `isatty`.
    public static let standardOutput = TextColors(
        isTerminal: isatty(STDOUT_FILENO) == 1, environment: ProcessInfo.processInfo.environment)

    /// The text as one of success.
    public func success(_ text: String) -> String { painted(text, Self.green) }

    /// The text with its first word coloured when that is `error:` or `warning:`.
    public func notice(_ text: String) -> String {
        for (word, color) in [("error:", Self.red), ("warning:", Self.yellow)] where text.hasPrefix(word) {
            return painted(word, color) + text.dropFirst(word.count)
        }
        return text
    }

    private func painted(_ text: String, _ color: String) -> String {
        areOn ? "\u{1B}[\(color)m\(text)\u{1B}[0m" : text
    }
}

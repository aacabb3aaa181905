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

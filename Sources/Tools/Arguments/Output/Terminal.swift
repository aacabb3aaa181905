import Foundation

/// A place where a progress line can be drawn, as functions so that tests can stand in for it.
public struct Terminal: Sendable {
    /// Whether a person watches and the cursor can be moved.
    public let isInteractive: Bool
    /// The width in columns at this moment; asked before each drawing, since windows are resized.
    public let columns: @Sendable () -> Int
    /// Writes a text as it is.
    public let write: @Sendable (String) -> Void

    public init(
        isInteractive: Bool, columns: @escaping @Sendable () -> Int, write: @escaping @Sendable (String) -> Void
    ) {
        self.isInteractive = isInteractive
        self.columns = columns
        self.write = write
    }

    /// The program's standard error; writing to it never fails visibly. Wraps `isatty` and `ioctl(TIOCGWINSZ)`.
    public static let standardError = Terminal(
        isInteractive: isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb",
        columns: {
            var size = winsize()
            guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
            return Int(size.ws_col)
        },
        write: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) })

    /// Whether a person sees what the program prints. Wraps `isatty`.
    public static var standardOutputIsInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

    /// How wide the terminal is that shows what the program prints; nil for a file or a pipe. Wraps
    /// `ioctl(TIOCGWINSZ)`.
    public static var standardOutputColumns: Int? {
        guard standardOutputIsInteractive else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}

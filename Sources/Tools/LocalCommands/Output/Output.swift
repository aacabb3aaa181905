import Glibc
package import HearthArguments
import HearthFiles
import HearthWire
import Synchronization

/// The output of commands: results on standard output, notes on standard error.
///
/// If the reader of standard output is gone, that is not a failure. Any other lost result, as on a full disk, is a failure: the
/// first one is reported immediately, and the program ends with exit code 1 after its work.
package enum Output {
    private static let hasWriteFailed = Atomic(false)

    package static func line(_ text: String) { _ = write(text + "\n") }

    /// A line about a success, which is coloured on a terminal.
    package static func success(_ text: String) { line(TextColors.standardOutput.success(text)) }

    /// Whether all output was written. After a failure, no more output is written.
    static func write(_ text: String) -> Bool {
        guard let number = Descriptor.write(Array(text.utf8), to: STDOUT_FILENO) else { return true }
        guard number != EPIPE, !hasWriteFailed.exchange(true, ordering: .relaxed) else { return false }
        error(CommandFailure("Cannot write to standard output: \(String(cString: strerror(number)))"))
        return false
    }

    /// A note that cannot be written is not reported, because there is no better place for it.
    package static func note(_ text: String, to descriptor: Int32 = STDERR_FILENO) {
        let shown = descriptor == STDERR_FILENO ? TextColors.standardError.notice(text) : text
        _ = Descriptor.write(Array((shown + "\n").utf8), to: descriptor)
    }

    /// Prints an error as the end of the program would, for a command that ends in another way.
    package static func error(_ error: any Error) {
        let notice = ErrorNotice(ErrorText.describe(error), code: ErrorNotice.code(of: error))
        _ = Descriptor.write(Array((notice.text(errorForm) + "\n").utf8), to: STDERR_FILENO)
    }

    private static let errorForm = ErrorNotice.form(CommandLine.arguments.dropFirst())

    /// One JSON value on one line.
    package static func json(_ value: some Encodable) throws {
        line(String(decoding: try WireJSON.encode(value), as: UTF8.self))
    }

    /// Call it at the end.
    /// - Throws: `ExitCode.failure` if a result was lost. The error was printed.
    package static func checkAllWasWritten() throws(ExitCode) {
        if hasWriteFailed.load(ordering: .relaxed) { throw .failure }
    }
}

/// A command's failure as one line: what is wrong and what to do.
package struct CommandFailure: CodedError, CustomStringConvertible {
    package let description: String
    package let reportedCode: String
    /// The error below this one; nil where there is none.
    package let cause: (any Error)?

    /// - Parameters:
    ///   - code: for programs; see ``CodedError``. Without it, the code is that of the cause.
    package init(_ description: String, code: String? = nil, cause: (any Error)? = nil) {
        self.description = description
        self.cause = cause
        reportedCode = code ?? cause.map(ErrorNotice.code) ?? ErrorNotice.failed
    }
}

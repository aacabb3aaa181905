import Glibc
package import HearthArguments
import HearthFiles
import HearthWire
import Synchronization

/// What commands print: results to standard output, notes to standard error.
///
/// A reader that has gone away is no reason to fail. A result that is lost in any other way, as on a full disk, is: the
/// first loss is told at once, and the program ends with exit code 1 when its work is done.
package enum Output {
    private static let hasWriteFailed = Atomic(false)

    package static func line(_ text: String) { _ = write(text + "\n") }

    /// A line that says that something was done, which a terminal shows in colour.
    package static func success(_ text: String) { line(TextColors.standardOutput.success(text)) }

    /// Whether all of it went out. Where it did not, no more of it ever will.
    static func write(_ text: String) -> Bool {
        guard let number = Descriptor.write(Array(text.utf8), to: STDOUT_FILENO) else { return true }
        guard number != EPIPE, !hasWriteFailed.exchange(true, ordering: .relaxed) else { return false }
        error(CommandFailure("Cannot write to standard output: \(String(cString: strerror(number)))"))
        return false
    }

    /// Notes have no better place to go, so nobody is told of a lost one.
    package static func note(_ text: String, to descriptor: Int32 = STDERR_FILENO) {
        let shown = descriptor == STDERR_FILENO ? TextColors.standardError.notice(text) : text
        _ = Descriptor.write(Array((shown + "\n").utf8), to: descriptor)
    }

    /// Tells of an error as the end of the program would, for what ends it in its own way.
    package static func error(_ error: any Error) {
        let notice = ErrorNotice(ErrorText.describe(error), code: ErrorNotice.code(of: error))
        _ = Descriptor.write(Array((notice.text(errorForm) + "\n").utf8), to: STDERR_FILENO)
    }

    private static let errorForm = ErrorNotice.form(CommandLine.arguments.dropFirst())

    /// One JSON value on one line.
    package static func json(_ value: some Encodable) throws {
        line(String(decoding: try WireJSON.encode(value), as: UTF8.self))
    }

    /// To be called at the end.
    /// - Throws: `ExitCode.failure` when a result was lost; the user was told.
    package static func checkAllWasWritten() throws(ExitCode) {
        if hasWriteFailed.load(ordering: .relaxed) { throw .failure }
    }
}

/// A command's failure as one line: what is wrong and what to do.
package struct CommandFailure: CodedError, CustomStringConvertible {
    package let description: String
    package let reportedCode: String

    /// - Parameter code: for programs; see ``CodedError``.
    package init(_ description: String, code: String = "FAILED") {
        self.description = description
        reportedCode = code
    }
}

import Glibc
package import HearthArguments
import HearthWire
import Synchronization

/// What commands print: results to standard output, notes to standard error.
///
/// A reader that has gone away is no reason to fail. A result that is lost in any other way, as on a full disk, is: the
/// first loss is told at once, and the program ends with exit code 1 when its work is done.
package enum Output {
    private static let hasLostSome = Atomic(false)

    package static func line(_ text: String) { _ = write(text + "\n") }

    /// Whether all of it went out. Where it did not, no more of it ever will.
    static func write(_ text: String) -> Bool {
        guard let number = Descriptor.write(Array(text.utf8), to: STDOUT_FILENO) else { return true }
        guard number != EPIPE, !hasLostSome.exchange(true, ordering: .relaxed) else { return false }
        note("error: Cannot write to standard output: \(String(cString: strerror(number)))")
        return false
    }

    /// Notes have no better place to go, so nobody is told of a lost one.
    package static func note(_ text: String, to descriptor: Int32 = STDERR_FILENO) {
        _ = Descriptor.write(Array((text + "\n").utf8), to: descriptor)
    }

    /// One JSON value on one line.
    package static func json(_ value: some Encodable) throws {
        line(String(decoding: try WireJSON.encode(value), as: UTF8.self))
    }

    /// To be called at the end.
    /// - Throws: `ExitCode.failure` when a result was lost; the user was told.
    package static func checkNothingWasLost() throws(ExitCode) {
        if hasLostSome.load(ordering: .relaxed) { throw .failure }
    }
}

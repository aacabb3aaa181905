import Glibc
import HearthWire

/// What commands print: results to standard output, notes to standard error.
enum Output {
    static func line(_ text: String) {
        print(text)
        fflush(stdout)
    }

    static func note(_ text: String) {
        fputs(text + "\n", stderr)
    }

    /// One JSON value on one line.
    static func json(_ value: some Encodable) throws {
        line(String(decoding: try WireJSON.encode(value), as: UTF8.self))
    }
}

import Foundation
import HearthWire

/// What commands print: results to standard output, notes to standard error. A reader that has gone away is no reason
/// to fail.
enum Output {
    static func line(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    }

    static func note(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }

    /// One JSON value on one line.
    static func json(_ value: some Encodable) throws {
        line(String(decoding: try WireJSON.encode(value), as: UTF8.self))
    }
}

import Foundation
import HearthWire

/// What commands print: results to standard output, notes to standard error.
enum Output {
    static func line(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    static func note(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    /// One JSON value on one line.
    static func json(_ value: some Encodable) throws {
        line(String(decoding: try WireJSON.encode(value), as: UTF8.self))
    }
}

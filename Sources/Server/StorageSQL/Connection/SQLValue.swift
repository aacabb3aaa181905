import Foundation
import HearthStorage

/// A parameter of a statement.
package enum SQLValue: Sendable {
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])
    case null

    package static func optional(_ text: String?) -> SQLValue { text.map(SQLValue.text) ?? .null }
    package static func optional(_ number: Int64?) -> SQLValue { number.map(SQLValue.integer) ?? .null }
    package static func optional(_ number: Int?) -> SQLValue { number.map { .int($0) } ?? .null }
    package static func int(_ number: Int) -> SQLValue { .integer(Int64(number)) }
    package static func bool(_ isTrue: Bool) -> SQLValue { .integer(isTrue ? 1 : 0) }

    static func size(_ bytes: UInt64) throws(StorageError) -> SQLValue { .integer(try StoredSize.integer(bytes)) }

    static func json(_ value: some Encodable) throws(StorageError) -> SQLValue {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return .text(String(decoding: try encoder.encode(value), as: UTF8.self))
        } catch {
            throw StorageError(.io, "Cannot write a value as JSON: \(error)", cause: error)
        }
    }
}

import Foundation

/// JSON in requests and answers: sorted keys and plain slashes; requests may spell keys in camelCase or snake_case.
package enum WireJSON {
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    /// Encodes with indentation, for reading and editing.
    package static func encodePretty(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Sequence<UInt8>) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }

    /// Decodes request bodies of the management API: `display_name` and `displayName` are the same key.
    package static func decodeRequest<Value: Decodable>(
        _ type: Value.Type, from bytes: some Sequence<UInt8>
    ) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: Data(bytes))
    }
}

/// A body of one of Hearth's own calls, or an object in such a body. It lists its keys, so that a server can refuse a
/// mistyped key instead of using the field's default.
package protocol KeyedBody: Decodable {
    associatedtype CodingKeys: CodingKey & CaseIterable

    /// The keys whose values are objects of a type, or lists of such objects.
    static var parts: [String: any KeyedBody.Type] { get }
}

extension KeyedBody {
    package static var parts: [String: any KeyedBody.Type] { [:] }

    /// The keys in the order of their declaration.
    package static var keys: [String] { CodingKeys.allCases.map(\.stringValue) }
}

/// Makes pieces of JSON by hand: for answers that every device requests again and again, where an encoder would take
/// longer than everything else in the answer.
package enum JSONText {
    /// Appends `string` in quotes, as `WireJSON.encode` writes it.
    package static func append(_ string: String, to text: inout [UInt8]) {
        var string = string
        text.append(UInt8(ascii: "\""))
        string.withUTF8 { bytes in
            var found: UInt8 = 0
            for byte in bytes { found |= needsEscape(byte) ? 1 : 0 }
            if found == 0 {
                text.append(contentsOf: bytes)
            } else {
                for byte in bytes { append(escaping: byte, to: &text) }
            }
        }
        text.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func append(escaping byte: UInt8, to text: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            text += [UInt8(ascii: "\\"), byte]
        case ..<0x20:
            let code = String(byte, radix: 16)
            text += Array("\\u00\(byte < 16 ? "0" : "")\(code)".utf8)
        default:
            text.append(byte)
        }
    }
}

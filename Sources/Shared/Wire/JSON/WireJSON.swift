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

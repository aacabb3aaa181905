import Foundation

/// JSON as the wire has it: keys sorted, slashes plain; requests may spell keys in camelCase or snake_case.
public enum WireJSON {
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Sequence<UInt8>) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }

    /// For request bodies of the management API: `display_name` and `displayName` are the same key.
    public static func decodeRequest<Value: Decodable>(
        _ type: Value.Type, from bytes: some Sequence<UInt8>
    ) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: Data(bytes))
    }
}

/// Gives parsed values to the synthesized `init(from:)` of commands and option groups.
///
/// A wrapper gets its value by ``value(from:)``. Nothing else can be decoded.
struct ArgumentDecoder: Decoder {
    let values: [[String]: Any]
    let key: [String]

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    static func value<Value>(from decoder: any Decoder) throws -> Value {
        guard let decoder = decoder as? ArgumentDecoder, let value = decoder.values[decoder.key] as? Value else {
            throw unsupported
        }
        return value
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Properties<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw Self.unsupported
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw Self.unsupported
    }

    fileprivate static var unsupported: DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "arguments can only be decoded by their own parser"))
    }
}

/// The properties of one command or group.
private struct Properties<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ArgumentDecoder

    let codingPath: [any CodingKey] = []
    let allKeys: [Key] = []

    private func path(_ key: Key) -> [String] { decoder.key + [key.stringValue] }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) throws -> Bool {
        guard let plain = decoder.values[path(key)] else { return false }
        let mirror = Mirror(reflecting: plain)
        return mirror.displayStyle == .optional && mirror.children.isEmpty
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        if !(type is any DeclaredArgument.Type), let plain = decoder.values[path(key)] as? T { return plain }
        return try T(from: ArgumentDecoder(values: decoder.values, key: path(key)))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        throw ArgumentDecoder.unsupported
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw ArgumentDecoder.unsupported
    }

    func superDecoder() throws -> any Decoder { throw ArgumentDecoder.unsupported }

    func superDecoder(forKey key: Key) throws -> any Decoder { throw ArgumentDecoder.unsupported }
}

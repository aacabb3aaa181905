/// Decodes all values at once, each as a field.
struct ConfigDecoder: Decoder {
    let values: [String: RemoteConfigValue]
    /// Called with the key of each value that is decoded.
    let onUse: (String) -> Void

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ConfigFields(values: values, onUse: onUse))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw mismatch([Any].self) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw mismatch(String.self) }

    private func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: [], debugDescription: "A configuration decodes to a structure only."))
    }
}

private struct ConfigFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let values: [String: RemoteConfigValue]
    let onUse: (String) -> Void

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { values.keys.sorted().compactMap(Key.init) }

    func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try field(key).decodeNil() }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try field(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try field(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try field(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try field(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try field(key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try field(key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try field(key).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try field(key).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try field(key).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try field(key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try field(key).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try field(key).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try field(key).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try field(key).decode(type) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try field(key).decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try field(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try field(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { ConfigDecoder(values: values, onUse: onUse) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try field(key) }

    private func field(_ key: Key) throws -> ValueDecoder {
        onUse(key.stringValue)
        guard let value = values[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: [], debugDescription: "There is no parameter '\(key.stringValue)'."))
        }
        return ValueDecoder(value: value, codingPath: [key])
    }
}

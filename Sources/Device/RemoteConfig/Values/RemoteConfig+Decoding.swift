public import Foundation

extension RemoteConfig {
    /// Decodes a structure with a field for each key that the app needs, from the activated values and the defaults.
    /// Other keys are ignored.
    ///
    /// - Throws: `DecodingError` when a field that is not optional has no value, or when a value does not fit its
    ///   field.
    public func decoded<Value: Decodable>(asType: Value.Type = Value.self) throws -> Value {
        try Value(from: ConfigDecoder(values: core.allValues, onUse: core.recordExposures))
    }

    /// The value of a key as this type; nil when it does not fit. An unknown key counts as an empty text.
    public subscript<T: Decodable>(decodedValue key: String) -> T? {
        try? configValue(forKey: key).decoded(asType: T.self)
    }

    /// The value of a key as a JSON dictionary, with values as in ``RemoteConfigValue/jsonValue``; nil when the value
    /// is not a JSON dictionary.
    public subscript(jsonValue key: String) -> [String: AnyHashable]? {
        HashableJSON.container(configValue(forKey: key).dataValue) as? [String: AnyHashable]
    }
}

extension RemoteConfigValue {
    /// The value as a number, truth value, text or bytes, or decoded from JSON as any other type. An optional is nil
    /// for the empty value and for the text `null`.
    ///
    /// - Throws: ``RemoteConfigValueCodableError`` for dates, `DecodingError` for a value that does not fit.
    public func decoded<Value: Decodable>(asType: Value.Type = Value.self) throws -> Value {
        try ValueDecoder(value: self, codingPath: []).decode(Value.self)
    }
}

/// Why a value cannot be decoded.
public enum RemoteConfigValueCodableError: LocalizedError, Sendable, Equatable {
    /// A type that cannot be decoded; the text names it.
    case unsupportedType(String)

    /// One line: what is wrong.
    public var errorDescription: String? {
        switch self {
        case .unsupportedType(let text): text
        }
    }
}

/// Decodes all values together, each as a field.
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
        .typeMismatch(type, .init(codingPath: [], debugDescription: "Remote Config values decode to a structure only."))
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

/// Decodes one value: numbers, truth values, texts and bytes from its text, all other types from the text's JSON.
struct ValueDecoder: Decoder, SingleValueDecodingContainer {
    let value: RemoteConfigValue
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try json([String: AnyDecoder].self).container(keyedBy: type)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try json([AnyDecoder].self).unkeyedContainer() }

    func decodeNil() -> Bool { value.source == .static || value.stringValue == "null" }

    func decode(_ type: Bool.Type) -> Bool { value.boolValue }
    func decode(_ type: String.Type) -> String { value.stringValue }
    func decode(_ type: Double.Type) -> Double { ConfigText.number(value.stringValue) }
    func decode(_ type: Float.Type) -> Float { Float(ConfigText.number(value.stringValue)) }
    func decode(_ type: Int.Type) -> Int { ConfigText.integer(value.stringValue) }
    func decode(_ type: Int8.Type) -> Int8 { ConfigText.integer(value.stringValue) }
    func decode(_ type: Int16.Type) -> Int16 { ConfigText.integer(value.stringValue) }
    func decode(_ type: Int32.Type) -> Int32 { ConfigText.integer(value.stringValue) }
    func decode(_ type: Int64.Type) -> Int64 { ConfigText.integer(value.stringValue) }
    func decode(_ type: UInt.Type) -> UInt { ConfigText.integer(value.stringValue) }
    func decode(_ type: UInt8.Type) -> UInt8 { ConfigText.integer(value.stringValue) }
    func decode(_ type: UInt16.Type) -> UInt16 { ConfigText.integer(value.stringValue) }
    func decode(_ type: UInt32.Type) -> UInt32 { ConfigText.integer(value.stringValue) }
    func decode(_ type: UInt64.Type) -> UInt64 { ConfigText.integer(value.stringValue) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == Date.self {
            throw RemoteConfigValueCodableError.unsupportedType(
                """
                Date type is not currently supported for  Remote Config Value decoding. Please file a feature request
                """)
        }
        if let data = value.dataValue as? Value { return data }
        if type == Decimal.self, let decimal = decimal as? Value { return decimal }
        if type == URL.self, let url = URL(string: value.stringValue) as? Value { return url }
        return try Value(from: self)
    }

    private var decimal: Decimal {
        Decimal(string: value.stringValue, locale: Locale(identifier: "en_US_POSIX")) ?? 0
    }

    /// Foundation's decoder for the top level of the JSON.
    private func json(_ expected: Any.Type) throws -> any Decoder {
        do {
            return try JSONDecoder().decode(AnyDecoder.self, from: value.dataValue).decoder
        } catch {
            throw DecodingError.typeMismatch(
                expected,
                .init(codingPath: codingPath, debugDescription: "The value is not JSON.", underlyingError: error))
        }
    }
}

/// Keeps the decoder with which it is decoded.
private struct AnyDecoder: Decodable {
    let decoder: any Decoder

    init(from decoder: any Decoder) { self.decoder = decoder }
}

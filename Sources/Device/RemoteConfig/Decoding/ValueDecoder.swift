import Foundation

/// Decodes one value: numbers, truth values, texts and bytes from its text, everything else from the JSON that the text is.
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

    /// The decoder of Foundation that stands at the text's top.
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

/// Gets hold of the decoder that it is decoded with.
private struct AnyDecoder: Decodable {
    let decoder: any Decoder

    init(from decoder: any Decoder) { self.decoder = decoder }
}

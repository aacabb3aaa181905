import HearthWire

/// Learns the JSON of a type from its own decoding: which members it reads, of which type, and which may be missing.
///
/// The decoding gets a stand-in for each value. A type that refuses a stand-in is described as far as it was read, so a type
/// with a decoding of its own needs a line in `written`.
struct SchemaReader {
    /// The schemas of the named types so far, by name.
    private(set) var components: [String: DescribedJSON] = [:]

    /// Types that are read in another way than their members say.
    private static var written: [String: DescribedJSON] {
        [
            "RemoteConfigParameterValue": .object([
                "description": "Exactly one of the members.", "type": "object", "minProperties": 1, "maxProperties": 1,
                "properties": .object([
                    "value": .object(["type": "string"]), "useInAppDefault": .object(["type": "boolean"]),
                    "personalizationValue": .object(["type": "object"]), "rolloutValue": .object(["type": "object"]),
                    "experimentValue": .object(["type": "object"]),
                ]),
            ]),
            "TimeHistogram": .object([
                "description": "Pairs of the number of a class and its count, in order of the classes.",
                "type": "array",
                "items": .object([
                    "type": "array", "minItems": 2, "maxItems": 2,
                    "items": .object(["type": "integer", "format": "int64"]),
                ]),
            ]),
        ]
    }

    /// The schema of a type: a simple one, or a reference to a component.
    mutating func schema(of type: any Decodable.Type) -> DescribedJSON {
        switch type {
        case is String.Type: return .object(["type": "string"])
        case is Bool.Type: return .object(["type": "boolean"])
        case is Int.Type: return .object(["type": "integer"])
        case is Int64.Type: return .object(["type": "integer", "format": "int64"])
        case is Double.Type, is Float.Type: return .object(["type": "number"])
        case let list as any DescribedList.Type:
            return .object(["type": "array", "items": schema(of: list.element)])
        case let map as any DescribedMap.Type:
            return .object(["type": "object", "additionalProperties": schema(of: map.value)])
        default: return reference(to: type)
        }
    }

    private mutating func reference(to type: any Decodable.Type) -> DescribedJSON {
        let name = Self.name(of: type)
        if components[name] == nil {
            // A type that contains itself ends here.
            components[name] = Self.written[name] ?? .object([:])
            if Self.written[name] == nil { components[name] = described(type) }
        }
        return .object(["$ref": .text("#/components/schemas/\(name)")])
    }

    private mutating func described(_ type: any Decodable.Type) -> DescribedJSON {
        let record = MemberRecord()
        _ = try? type.init(from: StandInDecoder(record: record))
        guard !record.isPlain else { return .object(["type": "string"]) }
        var properties: [String: DescribedJSON] = [:]
        for (name, member) in record.members { properties[name] = schema(of: member.type) }
        let required = record.members.filter(\.value.isRequired).keys.sorted()
        var object: [String: DescribedJSON] = ["type": "object", "properties": .object(properties)]
        if !required.isEmpty { object["required"] = .list(required.map(DescribedJSON.text)) }
        return .object(object)
    }

    /// `HearthWire.ExperimentBodies.Definition` is `ExperimentDefinition`.
    private static func name(of type: any Decodable.Type) -> String {
        let parts = String(reflecting: type).split(separator: ".").dropFirst()
        return parts.map { $0.hasSuffix("Bodies") ? $0.dropLast(6) : $0 }.joined()
    }
}

/// JSON that a description is made of.
enum DescribedJSON: Encodable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([DescribedJSON])
    case object([String: DescribedJSON])

    init(stringLiteral text: String) { self = .text(text) }
    init(integerLiteral number: Int) { self = .number(number) }
    init(booleanLiteral flag: Bool) { self = .flag(flag) }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .text(let text): try value.encode(text)
        case .number(let number): try value.encode(number)
        case .flag(let flag): try value.encode(flag)
        case .list(let items): try value.encode(items)
        case .object(let members): try value.encode(members)
        }
    }
}

private protocol DescribedList {
    static var element: any Decodable.Type { get }
}

extension Array: DescribedList where Element: Decodable {
    fileprivate static var element: any Decodable.Type { Element.self }
}

private protocol DescribedMap {
    static var value: any Decodable.Type { get }
}

extension Dictionary: DescribedMap where Key == String, Value: Decodable {
    fileprivate static var value: any Decodable.Type { Value.self }
}

/// The members that a decoding read. One owner, one thread.
private final class MemberRecord {
    struct Member {
        var type: any Decodable.Type
        var isRequired: Bool
    }

    var members: [String: Member] = [:]
    /// Whether the type is a single value, such as an enumeration of texts.
    var isPlain = false
}

/// Records what is read, and gives stand-ins.
private struct StandInDecoder: Decoder {
    let record: MemberRecord
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(StandInMembers<Key>(record: record))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw StandInRefused() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        record.isPlain = true
        throw StandInRefused()
    }
}

private struct StandInRefused: Error {}

private struct StandInMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let record: MemberRecord
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool { false }

    private func add(_ key: Key, _ type: any Decodable.Type, isRequired: Bool) {
        record.members[key.stringValue] = MemberRecord.Member(type: type, isRequired: isRequired)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        add(key, type, isRequired: true)
        switch type {
        case is String.Type: return "" as! Value
        case is Bool.Type: return false as! Value
        case is Int.Type: return 0 as! Value
        case is Int64.Type: return (0 as Int64) as! Value
        case is Double.Type: return 0.0 as! Value
        case let list as any (DescribedList & ExpressibleByArrayLiteral).Type: return Self.empty(list) as! Value
        case let map as any (DescribedMap & ExpressibleByDictionaryLiteral).Type: return Self.empty(map) as! Value
        default: return try Value(from: StandInDecoder(record: MemberRecord()))
        }
    }

    private static func empty<List: ExpressibleByArrayLiteral>(_ type: List.Type) -> List { [] }
    private static func empty<Map: ExpressibleByDictionaryLiteral>(_ type: Map.Type) -> Map { [:] }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        add(key, type, isRequired: false)
        return nil
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { optional(key, type) }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { optional(key, type) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { optional(key, type) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { optional(key, type) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { optional(key, type) }

    private func optional<Value: Decodable>(_ key: Key, _ type: Value.Type) -> Value? {
        add(key, type, isRequired: false)
        return nil
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw StandInRefused() }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw StandInRefused() }

    func superDecoder() throws -> any Decoder { throw StandInRefused() }

    func superDecoder(forKey key: Key) throws -> any Decoder { throw StandInRefused() }
}

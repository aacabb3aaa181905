import Foundation

/// A JSON value as it came, so that members which this program does not know are kept.
package indirect enum JSONValue: Codable, Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// - Throws: `DecodingError` if the bytes are not JSON.
    init(json: [UInt8]) throws { self = try JSONDecoder().decode(JSONValue.self, from: Data(json)) }

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? value.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let items = try? value.decode([JSONValue].self) {
            self = .list(items)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let flag): try value.encode(flag)
        case .integer(let number): try value.encode(number)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .list(let items): try value.encode(items)
        case .object(let members): try value.encode(members)
        }
    }

    /// With sorted keys and indentation, for a file that people may read.
    var pretty: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else { preconditionFailure("a JSON value can be written as JSON") }
        return Array(data) + [UInt8(ascii: "\n")]
    }
}

extension JSONValue {
    /// The member of that name; nil if this is not an object or has no such member.
    subscript(_ name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    var isTrue: Bool { self == .bool(true) }

    /// Google writes 64-bit numbers as text.
    var integer: Int64? {
        switch self {
        case .integer(let number): number
        case .text(let text): Int64(text)
        default: nil
        }
    }

    var items: [JSONValue] {
        if case .list(let items) = self { items } else { [] }
    }

    var members: [String: JSONValue] {
        if case .object(let members) = self { members } else { [:] }
    }

    /// The paths of the members that `other` lacks, such as `parameters.colour.newMember`, in order.
    func paths(missingIn other: JSONValue, at path: String = "") -> [String] {
        func joined(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
        switch (self, other) {
        case (.object(let members), .object(let others)):
            return members.sorted { $0.key < $1.key }.flatMap { name, value in
                others[name].map { value.paths(missingIn: $0, at: joined(name)) } ?? [joined(name)]
            }
        case (.list(let items), .list(let others)):
            return zip(items, others).enumerated().flatMap { index, pair in
                pair.0.paths(missingIn: pair.1, at: "\(path)[\(index)]")
            }
        default: return []
        }
    }
}

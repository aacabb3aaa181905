/// What an app tells of itself for the conditions of a template: a text or a number.
public struct CustomSignalValue: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case text(String)
        case integer(Int)
        case double(Double)
    }

    let kind: Kind

    /// A text of at most 500 characters.
    public static func string(_ text: String) -> Self { Self(kind: .text(text)) }
    /// A whole number.
    public static func integer(_ number: Int) -> Self { Self(kind: .integer(number)) }
    /// A finite number.
    public static func double(_ number: Double) -> Self { Self(kind: .double(number)) }
}

extension CustomSignalValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .double(value) }
}

/// As plain JSON, on the wire and in the app's folder.
struct StoredSignal: Codable, Sendable, Equatable {
    var value: CustomSignalValue

    init(_ value: CustomSignalValue) { self.value = value }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            value = .string(text)
        } else if let number = try? container.decode(Int.self) {
            value = .integer(number)
        } else {
            value = .double(try container.decode(Double.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value.kind {
        case .text(let text): try container.encode(text)
        case .integer(let number): try container.encode(number)
        case .double(let number): try container.encode(number)
        }
    }
}

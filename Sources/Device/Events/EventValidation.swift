import Foundation

/// The valid names of events. Pure.
enum EventName {
    static let characterLimit = 40

    /// Whether the name is a letter followed by letters, digits and underscores, all ASCII.
    static func isValid(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first), name.utf8.count <= characterLimit else { return false }
        return name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_") }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}

/// The valid names of models, experiments and variants. Pure.
enum ReportedNameRules {
    private static let limit = 32

    /// Whether the name has only ASCII letters, digits, hyphens and underscores. A server refuses a whole batch because
    /// of one other name.
    static func isValid(_ name: String) -> Bool {
        (1...limit).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }
}

/// Reads an event's value from its parameters. Pure.
enum EventValue {
    /// A server refuses a whole batch because of one larger value.
    static let largest = 1e12

    /// The number; nil for other types and for numbers outside of -10¹² to 10¹².
    static func number(_ value: Any) -> Double? {
        let number: Double? =
            switch value {
            case let value where type(of: value) == Bool.self: nil
            case let number as any BinaryInteger: Double(number)
            case let number as any BinaryFloatingPoint: Double(number)
            case let number as NSNumber: number.doubleValue
            default: nil
            }
        return number.flatMap { abs($0) <= largest ? $0 : nil }
    }
}

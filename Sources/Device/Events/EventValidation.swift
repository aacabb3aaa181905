import Foundation

/// What an event may be called. Pure.
enum EventName {
    static let characterLimit = 40

    /// A letter, then letters, digits and underscores, of ASCII.
    static func isValid(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first), name.utf8.count <= characterLimit else { return false }
        return name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_") }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}

/// Names of models, experiments and variants, as servers give them. Pure.
enum ReportedNameRules {
    private static let limit = 32

    /// Letters, digits, hyphens and underscores of ASCII. A server refuses a batch with any other as a whole.
    static func isValid(_ name: String) -> Bool {
        (1...limit).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }
}

/// An event's value among its parameters. Pure.
enum EventValue {
    /// A server refuses a batch with a larger one as a whole.
    static let largest = 1e12

    /// Nil for what is no number between -10¹² and 10¹².
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

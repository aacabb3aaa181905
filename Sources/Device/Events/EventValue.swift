import Foundation

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

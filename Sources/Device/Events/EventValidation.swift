import Foundation
import HearthWire

/// Reads an event's value from its parameters. Pure.
enum EventValue {
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
        return number.flatMap { abs($0) <= EventBodies.valueLimit ? $0 : nil }
    }
}

import Foundation

/// An event's value among its parameters. Pure.
enum EventValue {
    /// Nil for what is no finite number.
    static func number(_ value: Any) -> Double? {
        let number: Double? =
            switch value {
            case let value where type(of: value) == Bool.self: nil
            case let number as any BinaryInteger: Double(number)
            case let number as any BinaryFloatingPoint: Double(number)
            case let number as NSNumber: number.doubleValue
            default: nil
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }
}

import Foundation

/// A number on its way from an app's array to a tensor, without loss for everything that a tensor can hold.
enum Number {
    case integer(Int64)
    case real(Double)

    /// nil for values that are no numbers.
    init?(_ value: Any) {
        switch value {
        case let value as any BinaryInteger: self.init(integer: value)
        case let value as any BinaryFloatingPoint: self.init(real: value)
        case let value as NSNumber: self.init(value)
        default: return nil
        }
    }

    init(_ number: NSNumber) {
        switch String(cString: number.objCType) {
        case "f", "d": self = .real(number.doubleValue)
        case "Q": self.init(integer: number.uint64Value)
        default: self = .integer(number.int64Value)
        }
    }

    /// Integers above `Int64.max` fit no integer tensor: as reals they are refused there and rounded for floats.
    private init(integer value: some BinaryInteger) {
        self = Int64(exactly: value).map(Number.integer) ?? .real(Double(value))
    }

    private init(real value: some BinaryFloatingPoint) {
        self = .real(Double(value))
    }
}

extension Number: CustomStringConvertible {
    var description: String {
        switch self {
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        }
    }
}

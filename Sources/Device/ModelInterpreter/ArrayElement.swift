import Foundation

/// An element type of tensor memory.
protocol ArrayElement: BitwiseCopyable, Sendable {
    /// nil when the type cannot represent the number. Floats are rounded, integers never are.
    init?(fitting number: Number)

    /// Created so that a cast back to this type succeeds, which on Linux requires exactly the same value.
    var number: NSNumber { get }
}

extension ArrayElement {
    static var byteCount: Int { MemoryLayout<Self>.size }

    static func write(
        _ array: any NestedArray, input index: Int, dimensions: [Int], into target: UnsafeMutableRawBufferPointer
    ) throws {
        try ArrayWriter<Self>.write(array, input: index, dimensions: dimensions, into: target)
    }

    static func nestedArray(_ bytes: UnsafeRawBufferPointer, dimensions: [Int]) -> any Sendable {
        OutputArray.make(Self.self, bytes: bytes, dimensions: dimensions)
    }
}

extension Float: ArrayElement {
    init?(fitting number: Number) {
        switch number {
        case .integer(let value): self.init(value)
        case .real(let value):
            self.init(value)
            if value.isFinite && !isFinite { return nil }
        }
    }

    var number: NSNumber { NSNumber(value: self) }
}

extension FixedWidthInteger {
    init?(fitting number: Number) {
        switch number {
        case .integer(let value): self.init(exactly: value)
        case .real(let value): self.init(exactly: value)
        }
    }
}

extension Int32: ArrayElement {
    var number: NSNumber { NSNumber(value: self) }
}

extension UInt8: ArrayElement {
    var number: NSNumber { NSNumber(value: self) }
}

extension Int64: ArrayElement {
    var number: NSNumber { NSNumber(value: self) }
}

/// A number on its way from an app's array to a tensor. It holds every value of a tensor without loss.
enum Number {
    case integer(Int64)
    case real(Double)

    /// nil for values that are not numbers.
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

    /// Integers above `Int64.max` fit into no integer tensor. As reals, they are rejected there and rounded for floats.
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

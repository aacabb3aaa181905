public import Foundation

/// A Swift type whose values are read from tensors and copied to them.
///
/// | Swift | `Tensor.DataType` |
/// | --- | --- |
/// | `Bool` | `bool` |
/// | `UInt8`, `UInt16`, `UInt32`, `UInt64` | `uInt8`, `uInt16`, `uInt32`, `uInt64` |
/// | `Int8` | `int8`, `int4` |
/// | `Int16`, `Int32`, `Int64` | `int16`, `int32`, `int64` |
/// | `Float16`, `Float`, `Double` | `float16`, `float32`, `float64` |
/// | `Tensor.Complex<Float>`, `Tensor.Complex<Double>` | `complex64`, `complex128` |
/// | `String` | `string`, as UTF-8 |
/// | `Data` | `string`, whatever its bytes are |
///
/// These are all: a ``TensorElementCoding`` cannot be made elsewhere.
public protocol TensorElement: Sendable {
    /// How values of this type are stored.
    static var tensorCoding: TensorElementCoding<Self> { get }
}

extension Bool: TensorElement {
    public static var tensorCoding: TensorElementCoding<Bool> { .bool }
}

extension UInt8: TensorElement {
    public static var tensorCoding: TensorElementCoding<UInt8> { .inMemory(.uInt8) }
}

extension Int8: TensorElement {
    public static var tensorCoding: TensorElementCoding<Int8> { .int8 }
}

extension Int16: TensorElement {
    public static var tensorCoding: TensorElementCoding<Int16> { .inMemory(.int16) }
}

extension UInt16: TensorElement {
    public static var tensorCoding: TensorElementCoding<UInt16> { .inMemory(.uInt16) }
}

extension Int32: TensorElement {
    public static var tensorCoding: TensorElementCoding<Int32> { .inMemory(.int32) }
}

extension UInt32: TensorElement {
    public static var tensorCoding: TensorElementCoding<UInt32> { .inMemory(.uInt32) }
}

extension Int64: TensorElement {
    public static var tensorCoding: TensorElementCoding<Int64> { .inMemory(.int64) }
}

extension UInt64: TensorElement {
    public static var tensorCoding: TensorElementCoding<UInt64> { .inMemory(.uInt64) }
}

extension Float16: TensorElement {
    public static var tensorCoding: TensorElementCoding<Float16> { .inMemory(.float16) }
}

extension Float: TensorElement {
    public static var tensorCoding: TensorElementCoding<Float> { .inMemory(.float32) }
}

extension Double: TensorElement {
    public static var tensorCoding: TensorElementCoding<Double> { .inMemory(.float64) }
}

extension Tensor.Complex: TensorElement {
    public static var tensorCoding: TensorElementCoding<Self> {
        if Real.self == Float.self { return .inMemory(.complex64) }
        if Real.self == Double.self { return .inMemory(.complex128) }
        return .none
    }
}

extension String: TensorElement {
    public static var tensorCoding: TensorElementCoding<String> { .text }
}

extension Data: TensorElement {
    public static var tensorCoding: TensorElementCoding<Data> { .bytes }
}

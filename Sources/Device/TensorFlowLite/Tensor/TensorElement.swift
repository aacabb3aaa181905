public import Foundation

/// A Swift type whose values can be read from tensors and copied to them.
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
/// Apps cannot add types, because only this module can create a ``TensorElementCoding``.
public protocol TensorElement: Sendable {
    /// How values of this type are stored.
    static var tensorCoding: TensorElementCoding<Self> { get }
}

extension Bool: TensorElement {
    /// Elements of `bool` tensors.
    public static var tensorCoding: TensorElementCoding<Bool> { .bool }
}

extension UInt8: TensorElement {
    /// Elements of `uInt8` tensors.
    public static var tensorCoding: TensorElementCoding<UInt8> { .inMemory(.uInt8) }
}

extension Int8: TensorElement {
    /// Elements of `int8` and `int4` tensors.
    public static var tensorCoding: TensorElementCoding<Int8> { .int8 }
}

extension Int16: TensorElement {
    /// Elements of `int16` tensors.
    public static var tensorCoding: TensorElementCoding<Int16> { .inMemory(.int16) }
}

extension UInt16: TensorElement {
    /// Elements of `uInt16` tensors.
    public static var tensorCoding: TensorElementCoding<UInt16> { .inMemory(.uInt16) }
}

extension Int32: TensorElement {
    /// Elements of `int32` tensors.
    public static var tensorCoding: TensorElementCoding<Int32> { .inMemory(.int32) }
}

extension UInt32: TensorElement {
    /// Elements of `uInt32` tensors.
    public static var tensorCoding: TensorElementCoding<UInt32> { .inMemory(.uInt32) }
}

extension Int64: TensorElement {
    /// Elements of `int64` tensors.
    public static var tensorCoding: TensorElementCoding<Int64> { .inMemory(.int64) }
}

extension UInt64: TensorElement {
    /// Elements of `uInt64` tensors.
    public static var tensorCoding: TensorElementCoding<UInt64> { .inMemory(.uInt64) }
}

extension Float16: TensorElement {
    /// Elements of `float16` tensors.
    public static var tensorCoding: TensorElementCoding<Float16> { .inMemory(.float16) }
}

extension Float: TensorElement {
    /// Elements of `float32` tensors.
    public static var tensorCoding: TensorElementCoding<Float> { .inMemory(.float32) }
}

extension Double: TensorElement {
    /// Elements of `float64` tensors.
    public static var tensorCoding: TensorElementCoding<Double> { .inMemory(.float64) }
}

extension Tensor.Complex: TensorElement {
    /// Elements of `complex64` and `complex128` tensors.
    public static var tensorCoding: TensorElementCoding<Self> {
        if Real.self == Float.self { return .inMemory(.complex64) }
        if Real.self == Double.self { return .inMemory(.complex128) }
        return .none
    }
}

extension String: TensorElement {
    /// Elements of `string` tensors, as UTF-8.
    public static var tensorCoding: TensorElementCoding<String> { .text }
}

extension Data: TensorElement {
    /// Elements of `string` tensors, with any bytes.
    public static var tensorCoding: TensorElementCoding<Data> { .bytes }
}

extension Tensor {
    /// An element of a complex tensor: `Complex<Float>` for `complex64`, `Complex<Double>` for `complex128`. No tensor
    /// has elements with other `Real` types.
    public struct Complex<Real: BinaryFloatingPoint & BitwiseCopyable & Sendable>: Hashable, BitwiseCopyable, Sendable {
        /// The real part.
        public var real: Real
        /// The imaginary part.
        public var imaginary: Real

        /// Creates a number from its parts.
        public init(real: Real, imaginary: Real = 0) {
            self.real = real
            self.imaginary = imaginary
        }
    }
}

/// How values of a ``TensorElement`` are stored in tensors. Only this module creates and uses it.
public struct TensorElementCoding<Element>: Sendable {
    /// The tensor types for these elements.
    let dataTypes: [Tensor.DataType]
    /// Reads the bytes of one of ``dataTypes``. They must hold `count` elements, except for strings.
    let decode: @Sendable (Data, Tensor.DataType, _ count: Int) throws(InterpreterError) -> [Element]
    /// The bytes for one of ``dataTypes``.
    let encode: @Sendable ([Element], Tensor.DataType) throws(InterpreterError) -> Data
}

extension TensorElementCoding {
    /// For element types without a tensor type.
    static var none: Self {
        Self(dataTypes: [], decode: { _, _, _ in [] }, encode: { _, _ in Data() })
    }
}

extension TensorElementCoding where Element: BitwiseCopyable {
    /// Copies the bytes in memory, because every machine that the engine supports is little-endian, like the file
    /// format. Only for elements for which every bit pattern is valid.
    static func inMemory(_ dataType: Tensor.DataType) -> Self {
        Self(
            dataTypes: [dataType],
            decode: { data, _, count in copy(of: data, count: count) },
            encode: { values, _ in values.withUnsafeBytes { Data($0) } })
    }

    /// Copies, because the bytes need not be aligned.
    fileprivate static func copy(of data: Data, count: Int) -> [Element] {
        [Element](unsafeUninitializedCapacity: count) { elements, initializedCount in
            data.withUnsafeBytes { UnsafeMutableRawBufferPointer(elements).copyMemory(from: $0) }
            initializedCount = count
        }
    }
}

extension TensorElementCoding<Int8> {
    static var int8: Self {
        let whole = inMemory(.int8)
        return Self(
            dataTypes: [.int8, .int4],
            decode: { data, type, count throws(InterpreterError) in
                type == .int4 ? PackedInt4.unpack(data, count: count) : try whole.decode(data, type, count)
            },
            encode: { values, type throws(InterpreterError) in
                type == .int4 ? try PackedInt4.pack(values) : try whole.encode(values, type)
            })
    }
}

extension TensorElementCoding<Bool> {
    /// Converts byte by byte, because a `Bool` with bits other than 0 and 1 would be undefined behaviour.
    static var bool: Self {
        Self(
            dataTypes: [.bool],
            decode: { data, _, _ in data.map { $0 != 0 } },
            encode: { values, _ in Data(values.map { $0 ? 1 : 0 }) })
    }
}

extension TensorElementCoding<String> {
    static var text: Self {
        Self(
            dataTypes: [.string],
            decode: { data, _, _ throws(InterpreterError) in try StringTensorCoding.decodeText(data) },
            encode: { values, _ throws(InterpreterError) in try StringTensorCoding.encode(values.map(\.utf8)) })
    }
}

extension TensorElementCoding<Data> {
    static var bytes: Self {
        Self(
            dataTypes: [.string],
            decode: { data, _, _ throws(InterpreterError) in try StringTensorCoding.decode(data) },
            encode: { values, _ throws(InterpreterError) in try StringTensorCoding.encode(values) })
    }
}

/// The coding of `int4` tensors: two elements to a byte, the first in the low four bits.
enum PackedInt4 {
    static let range: ClosedRange<Int8> = -8...7

    /// - Parameter data: The bytes of `count` elements.
    static func unpack(_ data: Data, count: Int) -> [Int8] {
        [Int8](unsafeUninitializedCapacity: count) { elements, initializedCount in
            data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
                for index in 0..<count {
                    let byte = Int8(bitPattern: bytes[index / 2])
                    // The shift to the right copies the sign.
                    elements.initializeElement(at: index, to: index.isMultiple(of: 2) ? (byte << 4) >> 4 : byte >> 4)
                }
            }
            initializedCount = count
        }
    }

    /// - Throws: `.tensorFlowLiteError` when an element is outside ``range``.
    static func pack(_ elements: [Int8]) throws(InterpreterError) -> Data {
        if let index = elements.firstIndex(where: { !range.contains($0) }) {
            throw .tensorFlowLiteError("Element \(index) is \(elements[index]), but an int4 tensor holds -8 to 7 only.")
        }
        var data = Data(count: elements.count / 2 + elements.count % 2)
        data.withUnsafeMutableBytes { (bytes: UnsafeMutableRawBufferPointer) in
            for (index, element) in elements.enumerated() {
                let nibble = UInt8(bitPattern: element) & 0x0F
                bytes[index / 2] |= index.isMultiple(of: 2) ? nibble : nibble << 4
            }
        }
        return data
    }
}

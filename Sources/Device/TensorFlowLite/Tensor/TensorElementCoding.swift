import Foundation

/// How values of a ``TensorElement`` are stored in tensors. Only this module makes and uses them.
public struct TensorElementCoding<Element>: Sendable {
    /// The types whose elements these are.
    let dataTypes: [Tensor.DataType]
    /// Reads the bytes of one of ``dataTypes``: those of so many elements, unless it is strings.
    let decode: @Sendable (Data, Tensor.DataType, _ count: Int) throws(InterpreterError) -> [Element]
    /// The bytes as one of ``dataTypes``.
    let encode: @Sendable ([Element], Tensor.DataType) throws(InterpreterError) -> Data
}

extension TensorElementCoding {
    /// For types that no tensor has.
    static var none: Self {
        Self(dataTypes: [], decode: { _, _, _ in [] }, encode: { _, _ in Data() })
    }
}

extension TensorElementCoding where Element: BitwiseCopyable {
    /// Stored as they are in memory: every machine that the engine runs on is little-endian, like the file format.
    /// Only for elements of which every bit pattern is valid.
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
    /// By way of bytes: a `Bool` made of any bits but 0 and 1 would be undefined behaviour.
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

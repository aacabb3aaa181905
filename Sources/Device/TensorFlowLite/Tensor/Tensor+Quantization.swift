import Foundation

extension Tensor {
    /// The real numbers that the elements stand for, in row-major order: scale x (stored value - zero point), for the
    /// tensor as a whole or channel by channel, rounded to `Float` once. Elements of float tensors as they are.
    /// - Throws: `InterpreterError.invalidTensorDataType` for other types than floats and integers of 4 to 32 bits;
    ///   `.tensorFlowLiteError` with the reason for integers that are not quantized, such as a count of boxes, which
    ///   `values(as:)` reads; `.invalidTensorDataCount` when the bytes are not those of the shape.
    public func dequantizedValues() throws(InterpreterError) -> [Float] {
        switch dataType {
        case .float16: return try values(as: Float16.self).map(Float.init)
        case .float32: return try values()
        case .float64: return try values(as: Double.self).map(Float.init)
        case .int4, .int8: return try dequantized(from: Int8.self)
        case .uInt8: return try dequantized(from: UInt8.self)
        case .int16: return try dequantized(from: Int16.self)
        case .uInt16: return try dequantized(from: UInt16.self)
        case .int32: return try dequantized(from: Int32.self)
        case .uInt32: return try dequantized(from: UInt32.self)
        case .bool, .int64, .uInt64, .complex64, .complex128, .string: throw .invalidTensorDataType
        }
    }

    private func dequantized<Stored: FixedWidthInteger & TensorElement>(
        from type: Stored.Type
    ) throws(InterpreterError) -> [Float] {
        try QuantizationScheme(summary).dequantize(values(as: type))
    }
}

extension Tensor.Description {
    /// The bytes of a tensor whose elements stand for `reals`, the other way round.
    /// - Throws: As ``Tensor/dequantizedValues()``, with `.invalidTensorDataCount` as ``data(of:)`` has it; and
    ///   `.tensorFlowLiteError` for a NaN in a quantized tensor.
    func data(quantizing reals: [Float]) throws(InterpreterError) -> Data {
        switch dataType {
        case .float16: return try data(of: reals.map(Float16.init))
        case .float32: return try data(of: reals)
        case .float64: return try data(of: reals.map(Double.init))
        case .int4: return try data(quantizing: reals, to: PackedInt4.range)
        case .int8: return try data(quantizing: reals, to: Int8.min...Int8.max)
        case .uInt8: return try data(quantizing: reals, to: UInt8.min...UInt8.max)
        case .int16: return try data(quantizing: reals, to: Int16.min...Int16.max)
        case .uInt16: return try data(quantizing: reals, to: UInt16.min...UInt16.max)
        case .int32: return try data(quantizing: reals, to: Int32.min...Int32.max)
        case .uInt32: return try data(quantizing: reals, to: UInt32.min...UInt32.max)
        case .bool, .int64, .uInt64, .complex64, .complex128, .string: throw .invalidTensorDataType
        }
    }

    private func data<Stored: FixedWidthInteger & TensorElement>(
        quantizing reals: [Float], to range: ClosedRange<Stored>
    ) throws(InterpreterError) -> Data {
        let scheme = try QuantizationScheme(self)
        try require(count: reals.count)
        return try data(of: scheme.quantize(reals, to: range))
    }
}

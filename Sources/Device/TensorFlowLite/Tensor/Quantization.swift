import Foundation

/// How a quantized tensor represents real numbers: real value = `scale` x (stored value - `zeroPoint`).
public struct QuantizationParameters: Equatable, Hashable, Sendable {
    /// The real value of one step of the stored value.
    public let scale: Float
    /// The stored value that represents 0.
    public let zeroPoint: Int

    init(scale: Float, zeroPoint: Int) {
        self.scale = scale
        self.zeroPoint = zeroPoint
    }
}

/// How a tensor with one quantization per channel represents real numbers: along ``dimension``, the elements at index i
/// have the real values `scales[i]` x (stored value - `zeroPoints[i]`).
public struct PerChannelQuantization: Equatable, Hashable, Sendable {
    /// The scale of each channel.
    public let scales: [Float]
    /// The zero point of each channel.
    public let zeroPoints: [Int]
    /// The index, in the tensor's shape, of the dimension of the channels.
    public let dimension: Int

    init(scales: [Float], zeroPoints: [Int], dimension: Int) {
        self.scales = scales
        self.zeroPoints = zeroPoints
        self.dimension = dimension
    }
}

extension Tensor {
    /// The real numbers that the elements represent, in row-major order: scale x (stored value - zero point), for the
    /// whole tensor or per channel, rounded to `Float` once. Elements of float tensors are returned unchanged.
    /// - Throws: `InterpreterError.invalidTensorDataType` for types other than floats and integers of 4 to 32 bits;
    ///   `.tensorFlowLiteError` with the reason for integers that are not quantized, such as a count of boxes, which
    ///   `values(as:)` reads; `.invalidTensorDataCount` when the number of bytes does not fit the shape.
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
    /// The bytes of a tensor whose elements represent `reals`: the inverse of ``Tensor/dequantizedValues()``.
    /// - Throws: The errors of ``Tensor/dequantizedValues()``, with `.invalidTensorDataCount` as in ``data(of:)``; and
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

/// Converts between the integers of one tensor and real numbers: real = scale x (integer - zero point).
///
/// The elements are runs of ``runLength`` that cycle through the channels. A tensor with one scale for all is one run
/// of one channel. The arithmetic is in `Double`, which holds every stored integer and cannot overflow.
struct QuantizationScheme {
    private let scales: [Double]
    private let zeroPoints: [Double]
    private let runLength: Int
    private let elementCount: Int

    /// - Throws: `InterpreterError.tensorFlowLiteError` when the tensor is not quantized, or when its channels do not
    ///   fit its shape, as after a resize.
    init(_ tensor: Tensor.Description) throws(InterpreterError) {
        let dimensions = tensor.shape.dimensions
        elementCount = try tensor.requiredElementCount()
        if let whole = tensor.quantizationParameters {
            scales = [Double(whole.scale)]
            zeroPoints = [Double(whole.zeroPoint)]
            runLength = elementCount
        } else if let channels = tensor.perChannelQuantization {
            let dimension = channels.dimension
            guard dimensions.indices.contains(dimension), channels.zeroPoints.count == channels.scales.count,
                dimensions[dimension] == channels.scales.count,
                let runLength = Tensor.Shape.product(dimensions[(dimension + 1)...])
            else {
                throw .tensorFlowLiteError(
                    "The tensor's \(channels.scales.count) scales along dimension \(dimension) do not fit its shape "
                        + "\(dimensions).")
            }
            scales = channels.scales.map(Double.init)
            zeroPoints = channels.zeroPoints.map(Double.init)
            self.runLength = runLength
        } else {
            throw .tensorFlowLiteError(
                "The tensor is not quantized: its \(tensor.dataType) values have no scale; use them as they are, "
                    + "with values(as:) and copy(_:toInputAt:).")
        }
    }

    /// - Parameter integers: As many as the tensor has elements.
    func dequantize<Stored: FixedWidthInteger>(_ integers: [Stored]) -> [Float] {
        [Float](unsafeUninitializedCapacity: elementCount) { reals, initializedCount in
            forEachRun { run, scale, zeroPoint in
                for index in run {
                    let integer = Double(Int64(truncatingIfNeeded: integers[index]))
                    reals.initializeElement(at: index, to: Float(scale * (integer - zeroPoint)))
                }
            }
            initializedCount = elementCount
        }
    }

    /// Rounds half away from zero. A value outside of `range` becomes its nearer end.
    /// - Parameter reals: As many as the tensor has elements.
    /// - Throws: `InterpreterError.tensorFlowLiteError` for a NaN.
    func quantize<Stored: FixedWidthInteger>(
        _ reals: [Float], to range: ClosedRange<Stored>
    ) throws(InterpreterError) -> [Stored] {
        let lowest = Double(range.lowerBound)
        let highest = Double(range.upperBound)
        var notANumber: Int?
        let integers = [Stored](unsafeUninitializedCapacity: elementCount) { integers, initializedCount in
            forEachRun { run, scale, zeroPoint in
                for index in run {
                    let value = (Double(reals[index]) / scale).rounded() + zeroPoint
                    if value.isNaN { notANumber = notANumber ?? index }
                    let integer = value.isNaN ? 0 : Int64(max(lowest, min(highest, value)))
                    integers.initializeElement(at: index, to: Stored(truncatingIfNeeded: integer))
                }
            }
            initializedCount = elementCount
        }
        if let notANumber {
            throw .tensorFlowLiteError("Value \(notANumber) is not a number; a quantized tensor cannot hold it.")
        }
        return integers
    }

    private func forEachRun(_ body: (_ run: Range<Int>, _ scale: Double, _ zeroPoint: Double) -> Void) {
        var start = 0
        while start < elementCount {
            for channel in scales.indices {
                body(start..<start + runLength, scales[channel], zeroPoints[channel])
                start += runLength
            }
        }
    }
}

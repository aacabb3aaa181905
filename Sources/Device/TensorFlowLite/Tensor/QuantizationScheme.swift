import Foundation

/// How the integers of one tensor and real numbers turn into each other: real = scale x (integer - zero point).
///
/// Elements are runs of ``runLength`` that take turns through the channels. A tensor quantized as a whole is one run of
/// one channel. Arithmetic is in `Double`, which holds every stored integer and cannot overflow.
struct QuantizationScheme {
    private let scales: [Double]
    private let zeroPoints: [Double]
    private let runLength: Int
    private let elementCount: Int

    /// - Throws: `InterpreterError.tensorFlowLiteError` when the tensor is not quantized, or its channels are not those
    ///   of its shape, as after a resize.
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

    /// Rounds half away from zero; what lies outside of `range` becomes its nearer end.
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

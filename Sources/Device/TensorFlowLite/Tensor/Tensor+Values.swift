import Foundation

extension Tensor {
    /// The elements in row-major order, as many as the shape has.
    ///
    /// ```swift
    /// let scores: [Float] = try interpreter.output(at: 0).values()
    /// ```
    ///
    /// Returns the stored values without regard to quantization; ``dequantizedValues()`` returns real numbers.
    /// - Parameter type: The Swift type for the tensor's ``dataType``; ``TensorElement`` lists the types. Values are
    ///   not converted, except `int4` to `Int8`.
    /// - Throws: `InterpreterError.invalidTensorDataType` when the Swift type is for another type;
    ///   `.invalidTensorDataCount` when the number of bytes does not fit the shape; `.tensorFlowLiteError` with the
    ///   reason when a string tensor is damaged or, read as `String`, is not UTF-8.
    public func values<Element: TensorElement>(
        as type: Element.Type = Element.self
    ) throws(InterpreterError) -> [Element] {
        let coding = Element.tensorCoding
        guard coding.dataTypes.contains(dataType) else { throw .invalidTensorDataType }
        let count = try summary.requiredElementCount()
        if let byteCount = shape.byteCount(of: dataType), byteCount != data.count {
            throw .invalidTensorDataCount(provided: data.count, required: byteCount)
        }
        let values = try coding.decode(data, dataType, count)
        guard values.count == count else { throw .invalidTensorDataCount(provided: values.count, required: count) }
        return values
    }
}

extension Tensor.Description {
    /// The bytes of a tensor that holds `values`.
    /// - Throws: `InterpreterError.invalidTensorDataType`, `.invalidTensorDataCount` (in bytes where an element has
    ///   whole bytes, else in elements), and `.tensorFlowLiteError` for values that such a tensor cannot hold; checked
    ///   in this order.
    func data<Element: TensorElement>(of values: [Element]) throws(InterpreterError) -> Data {
        let coding = Element.tensorCoding
        guard coding.dataTypes.contains(dataType) else { throw .invalidTensorDataType }
        try require(count: values.count)
        return try coding.encode(values, dataType)
    }

    func require(count: Int) throws(InterpreterError) {
        let required = try requiredElementCount()
        guard count != required else { return }
        let unit = dataType.bitWidth.map { max($0 / 8, 1) } ?? 1
        throw .invalidTensorDataCount(provided: count * unit, required: required * unit)
    }

    /// - Throws: When so many elements are not possible.
    func requiredElementCount() throws(InterpreterError) -> Int {
        guard let count = shape.elementCount, dataType.bitWidth == nil || shape.byteCount(of: dataType) != nil else {
            throw .tensorFlowLiteError("No tensor can have the shape \(shape.dimensions).")
        }
        return count
    }
}

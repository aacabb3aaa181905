extension Interpreter {
    /// Copies `values` into an input as its elements, in row-major order.
    ///
    /// ```swift
    /// try interpreter.copy([Float(1), 3], toInputAt: 0)
    /// ```
    /// - Parameter values: As many as the input has elements, of the Swift type that stands for its type;
    ///   ``TensorElement`` lists them. Nothing is converted, except `Int8` to `int4`.
    /// - Returns: The input with its new contents.
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.invalidTensorDataType`, `.invalidTensorDataCount` (in bytes; in
    ///   elements for `int4` and strings), `.tensorFlowLiteError` for values that no such tensor holds,
    ///   `.allocateTensorsRequired`, checked in this order.
    @discardableResult
    public func copy<Element: TensorElement>(_ values: [Element], toInputAt index: Int) throws -> Tensor {
        try copy(inputDescription(at: index).data(of: values), toInputAt: index)
    }

    /// Copies the integers that stand for `reals` into a quantized input: real / scale, rounded to the nearest integer
    /// (halves away from zero), plus zero point. What the type cannot hold becomes its lowest or highest value. Float
    /// inputs take the numbers as they are.
    /// - Parameter reals: As many as the input has elements, in row-major order.
    /// - Returns: The input with its new contents.
    /// - Throws: `InterpreterError.invalidTensorIndex`; `.invalidTensorDataType` for other types than floats and integers
    ///   of 4 to 32 bits; `.tensorFlowLiteError` with the reason for an integer input that is not quantized, which
    ///   `copy(_:toInputAt:)` fills; `.invalidTensorDataCount` (in bytes; in elements for `int4`);
    ///   `.tensorFlowLiteError` for a NaN in a quantized input; `.allocateTensorsRequired`; checked in this order.
    @discardableResult
    public func copy(quantizing reals: [Float], toInputAt index: Int) throws -> Tensor {
        try copy(inputDescription(at: index).data(quantizing: reals), toInputAt: index)
    }
}

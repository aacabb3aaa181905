extension SignatureRunner {
    /// Copies `values` into an input as its elements, as `Interpreter.copy(_:toInputAt:)` does.
    /// - Throws: `SignatureRunnerError.failedToGetTensor` for an unknown name, then as the interpreter's copy does.
    public func copy<Element: TensorElement>(_ values: [Element], toInputNamed name: String) throws {
        try copy(inputDescription(named: name).data(of: values), toInputNamed: name)
    }

    /// Copies the integers that stand for `reals` into a quantized input, as
    /// ``Interpreter/copy(quantizing:toInputAt:)`` does.
    /// - Throws: `SignatureRunnerError.failedToGetTensor` for an unknown name, then as the interpreter's copy does.
    public func copy(quantizing reals: [Float], toInputNamed name: String) throws {
        try copy(inputDescription(named: name).data(quantizing: reals), toInputNamed: name)
    }
}

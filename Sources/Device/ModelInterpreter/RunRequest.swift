/// The inputs and formats of one call of `run`, at the time of the call.
struct RunRequest: Sendable {
    let inputs: [InputValue]
    let formats: ModelInputOutputOptions.Formats

    init(_ inputs: ModelInputs, _ options: ModelInputOutputOptions) {
        self.inputs = inputs.values
        formats = options.formats
    }

    /// Finds errors that do not depend on the model.
    func check() throws {
        guard !formats.inputs.isEmpty else {
            throw MachineLearningError.make(.invalidArgument, "The options have no input format.")
        }
        guard !formats.outputs.isEmpty else {
            throw MachineLearningError.make(.invalidArgument, "The options have no output format.")
        }
        guard inputs.count == formats.inputs.count else {
            throw MachineLearningError.make(
                .invalidArgument,
                """
                The number of inputs is \(inputs.count), but that of input formats in the options is \
                \(formats.inputs.count).
                """
            )
        }
        for (index, input) in inputs.enumerated() {
            // The check against the model finds inputs without a format, because only the model knows how many inputs
            // it has.
            guard let format = formats.inputs[UInt(index)] else { continue }
            try check(input, at: index, format)
        }
    }

    private func check(_ input: InputValue, at index: Int, _ format: TensorFormat) throws {
        switch input {
        case .data(let data):
            guard data.count == format.byteCount else {
                throw MachineLearningError.make(
                    .invalidArgument,
                    "Input \(index) should have \(format.byteCount) bytes, but found \(data.count) bytes.")
            }
        case .array(let array):
            let shape = try InputValue.shape(of: array)
            guard shape == format.dimensions else {
                throw MachineLearningError.make(
                    .invalidArgument,
                    "Input \(index) has the shape \(shape), but its format says \(format.dimensions).")
            }
        }
    }
}

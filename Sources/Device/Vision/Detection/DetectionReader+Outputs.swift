import TensorFlowLite

extension DetectionReader.Numbers {
    /// What the outputs hold after a run.
    init(_ interpreter: Interpreter, _ layout: DetectionLayout) throws {
        boxes = try Self.numbers(interpreter, layout.boxes)
        scores = try Self.numbers(interpreter, layout.scores)
        if case .byModel(let classOutput, _, let countOutput) = layout.choice {
            classes = try Self.numbers(interpreter, classOutput)
            count = try countOutput.flatMap { try Self.numbers(interpreter, $0).first }
        }
    }

    private static func numbers(_ interpreter: Interpreter, _ output: Int) throws -> [Float] {
        let tensor = try interpreter.output(at: output)
        // Classes and counts may be plain integers.
        switch tensor.dataType {
        case .int32 where tensor.quantizationParameters == nil:
            return try tensor.values(as: Int32.self).map { Float($0) }
        case .int64: return try tensor.values(as: Int64.self).map { Float($0) }
        default: return try tensor.dequantizedValues()
        }
    }
}

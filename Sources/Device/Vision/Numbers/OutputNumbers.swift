import TensorFlowLite

/// The outputs of a run as real numbers, in row-major order, by the output's index.
struct OutputNumbers: Sendable {
    private var values: [Int: [Float]]
    private var steps: [Int: Float]

    /// - Parameter steps: The distance between two numbers that an output can hold, for quantized outputs.
    init(_ values: [Int: [Float]], steps: [Int: Float] = [:]) {
        self.values = values
        self.steps = steps
    }

    subscript(output: Int) -> [Float] { values[output] ?? [] }

    /// The distance between two numbers that an output can hold; 0 for outputs that are not quantized.
    func step(of output: Int) -> Float { steps[output] ?? 0 }

    /// Reads what the outputs hold after a run.
    init(_ interpreter: Interpreter, _ outputs: [Int]) throws {
        self.init([:])
        for output in outputs {
            let description = try interpreter.outputDescription(at: output)
            values[output] = try Self.numbers(interpreter, output, description)
            steps[output] = description.quantizationParameters?.scale
        }
    }

    private static func numbers(
        _ interpreter: Interpreter, _ output: Int, _ description: Tensor.Description
    ) throws -> [Float] {
        let scheme = description.quantizationParameters
        switch description.dataType {
        case .float32:
            return try interpreter.withUnsafeOutputBytes(at: output) { bytes in
                [Float](unsafeUninitializedCapacity: bytes.count / 4) { numbers, count in
                    count = bytes.count / 4
                    UnsafeMutableRawBufferPointer(numbers).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: bytes[..<(count * 4)]))
                }
            }
        // One of 256 numbers for each byte.
        case .uInt8 where description.perChannelQuantization == nil,
            .int8 where description.perChannelQuantization == nil:
            let table = Self.table(description.dataType == .int8, scheme)
            return try interpreter.withUnsafeOutputBytes(at: output) { bytes in
                table.withUnsafeBufferPointer { table in
                    [Float](unsafeUninitializedCapacity: bytes.count) { numbers, count in
                        for place in bytes.indices { numbers[place] = table[Int(bytes[place])] }
                        count = bytes.count
                    }
                }
            }
        // Classes and counts may be plain integers.
        case .int32 where scheme == nil:
            return try interpreter.output(at: output).values(as: Int32.self).map { Float($0) }
        case .int64: return try interpreter.output(at: output).values(as: Int64.self).map { Float($0) }
        default: return try interpreter.output(at: output).dequantizedValues()
        }
    }

    /// Without quantization a byte is a number.
    private static func table(_ isSigned: Bool, _ scheme: QuantizationParameters?) -> [Float] {
        (0...255).map { byte in
            let stored = isSigned ? Int(Int8(truncatingIfNeeded: byte)) : byte
            return Float(Double(scheme?.scale ?? 1) * Double(stored - (scheme?.zeroPoint ?? 0)))
        }
    }
}

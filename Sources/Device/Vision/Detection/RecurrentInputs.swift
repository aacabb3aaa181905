import HearthModelFile
import TensorFlowLite

/// The inputs of a video model other than the image. Each receives what one of the outputs held after the frame before.
struct RecurrentInputs: Sendable {
    private struct Pair: Sendable {
        let input: Int
        let output: Int
        /// The byte value that represents 0.
        let zero: UInt8
    }

    private let pairs: [Pair]

    /// Matches each input with the next output, in the model's order, that has its shape, type and quantization. The
    /// first input takes the image.
    /// - Parameter taken: Outputs that hold something else.
    /// - Throws: When an input has no such output.
    init(_ interpreter: Interpreter, taken: [Int]) throws {
        var free = (0..<interpreter.outputTensorCount).filter { !taken.contains($0) }
        pairs = try (0..<interpreter.inputTensorCount).dropFirst().map { index in
            let input = try interpreter.inputDescription(at: index)
            guard
                let place = try free.firstIndex(where: {
                    Self.matches(input, try interpreter.outputDescription(at: $0))
                })
            else {
                throw VisionError.make(
                    .failedPrecondition,
                    """
                    The model's input '\(input.name)' takes no image, and no output of its kind could be carried \
                    over to it from image to image.
                    """)
            }
            return Pair(input: index, output: free.remove(at: place), zero: Self.zero(input))
        }
    }

    /// Sets the state to zero, its value before the first frame.
    func reset(_ interpreter: Interpreter) throws {
        for pair in pairs {
            try interpreter.withUnsafeMutableInputBytes(at: pair.input) { bytes in
                bytes.withMemoryRebound(to: UInt8.self) { $0.update(repeating: pair.zero) }
            }
        }
    }

    /// Copies the outputs of the last run into the inputs of the next one.
    func carryOver(_ interpreter: Interpreter) throws {
        for pair in pairs {
            try interpreter.withUnsafeOutputBytes(at: pair.output) { state in
                try interpreter.withUnsafeMutableInputBytes(at: pair.input) { input in
                    if input.count == state.count { input.copyMemory(from: state) }
                }
            }
        }
    }

    private static func matches(_ input: Tensor.Description, _ output: Tensor.Description) -> Bool {
        input.shape == output.shape && input.dataType == output.dataType
            && input.quantizationParameters == output.quantizationParameters && input.dataType != .string
    }

    /// One byte value is enough: quantized states have 8 bits, or more bits and the zero point 0.
    private static func zero(_ input: Tensor.Description) -> UInt8 {
        guard [.uInt8, .int8].contains(input.dataType) else { return 0 }
        return UInt8(truncatingIfNeeded: input.quantizationParameters?.zeroPoint ?? 0)
    }
}

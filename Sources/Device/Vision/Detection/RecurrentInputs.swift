import HearthModelFile
import TensorFlowLite

/// The inputs of a video model that are not the image: each takes what one of the outputs held after the frame before.
struct RecurrentInputs: Sendable {
    private struct Pair: Sendable {
        let input: Int
        let output: Int
        /// The byte that stands for 0.
        let zero: UInt8
    }

    private let pairs: [Pair]

    /// Matches each input with the next output, in the model's order, that has its shape, type and quantization.
    /// The first input takes the image.
    /// - Parameter taken: Outputs that hold something else.
    /// - Throws: when an input has no such output.
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

    /// Back to what it is before the first frame: zero.
    func reset(_ interpreter: Interpreter) throws {
        for pair in pairs {
            try interpreter.withUnsafeMutableInputBytes(at: pair.input) { bytes in
                bytes.withMemoryRebound(to: UInt8.self) { $0.update(repeating: pair.zero) }
            }
        }
    }

    /// What the outputs hold now goes into the inputs of the next run.
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

    /// One byte is enough: quantized states are of 8 bits, or of more around zero point 0.
    private static func zero(_ input: Tensor.Description) -> UInt8 {
        guard [.uInt8, .int8].contains(input.dataType) else { return 0 }
        return UInt8(truncatingIfNeeded: input.quantizationParameters?.zeroPoint ?? 0)
    }
}

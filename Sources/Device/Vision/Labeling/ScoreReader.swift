import Foundation
import HearthModelFile
import TensorFlowLite

/// Reads one row of scores from an output.
struct ScoreReader: Sendable {
    let count: Int

    /// - Throws: When the output is not one row of numbers in a type that labelers support.
    init(_ output: Tensor.Description) throws {
        let dimensions = output.shape.dimensions
        let lengths = dimensions.filter { $0 != 1 }
        guard (1...4).contains(dimensions.count), lengths.count <= 1, dimensions.allSatisfy({ $0 > 0 }) else {
            throw VisionError.make(
                .failedPrecondition,
                """
                The model is not an image labeler: its output '\(output.name)' has the shape \(dimensions), not \
                [1, N]. If it finds objects, use a detector, such as `hearth detect`.
                """
            )
        }
        count = lengths.first ?? 1
        let isQuantized = output.quantizationParameters != nil
        switch output.dataType {
        case .float32, .float16, .uInt8, .int8: break
        case .int16 where isQuantized, .int32 where isQuantized: break
        default:
            throw VisionError.make(
                .failedPrecondition,
                "The model is not an image labeler: its output '\(output.name)' holds \(output.dataType) values.")
        }
    }

    /// The scores of a run. For quantized types, real = scale x (stored - zero point); bytes without quantization are
    /// numbers as they are.
    /// - Throws: When the number of scores is not `count`, as can happen after a run on an image of another size.
    func scores(_ interpreter: Interpreter, _ output: Int) throws -> [Float] {
        let scores = try OutputNumbers(interpreter, [output])[output]
        guard scores.count == count else {
            throw VisionError.make(
                .failedPrecondition,
                "The model is not an image labeler: for this image it does not return \(count) scores.")
        }
        return scores
    }
}

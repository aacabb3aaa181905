import Foundation
import HearthImaging
import HearthModelFile
import HearthModelSource
import TensorFlowLite

/// Turns a score tensor's bytes into numbers. For quantized types, real = scale × (stored − zero point).
struct ScoreReader: Sendable {
    private enum Kind: Sendable {
        case float32
        case uint8(scale: Float, zeroPoint: Int)
        case int8(scale: Float, zeroPoint: Int)
    }

    let count: Int
    private let kind: Kind

    /// - Throws: When the output is not one row of scores in a type that labelers support.
    init(_ output: Tensor.Description) throws {
        let dimensions = output.shape.dimensions
        guard dimensions.count == 2 || dimensions.count == 4, dimensions.dropLast().allSatisfy({ $0 == 1 }),
            let count = dimensions.last, count > 0
        else {
            throw VisionError.make(
                .failedPrecondition,
                """
                The model is not an image labeler: its output '\(output.name)' has the shape \(dimensions), not \
                [1, N].
                """
            )
        }
        self.count = count
        let scale = output.quantizationParameters?.scale ?? 1
        let zeroPoint = output.quantizationParameters?.zeroPoint ?? 0
        switch output.dataType {
        case .float32: kind = .float32
        case .uInt8: kind = .uint8(scale: scale, zeroPoint: zeroPoint)
        case .int8: kind = .int8(scale: scale, zeroPoint: zeroPoint)
        default:
            throw VisionError.make(
                .failedPrecondition,
                "The model is not an image labeler: its output '\(output.name)' holds \(output.dataType) values.")
        }
    }

    /// Lends a function that computes each score when it is called.
    /// - Throws: When the number of scores is not `count`, as can happen after a run on an image of another size.
    func read<Result>(_ bytes: UnsafeRawBufferPointer, _ body: (_ score: (Int) -> Float) -> Result) throws -> Result {
        guard bytes.count == count * bytesPerScore else {
            throw VisionError.make(
                .failedPrecondition,
                "The model is not an image labeler: for this image it does not return \(count) scores.")
        }
        switch kind {
        case .float32: return body { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        case .uint8(let scale, let zeroPoint): return body { scale * Float(Int(bytes[$0]) - zeroPoint) }
        case .int8(let scale, let zeroPoint):
            return body { scale * Float(Int(Int8(bitPattern: bytes[$0])) - zeroPoint) }
        }
    }

    private var bytesPerScore: Int {
        if case .float32 = kind { 4 } else { 1 }
    }
}

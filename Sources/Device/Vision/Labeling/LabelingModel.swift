import Foundation
import HearthImaging
import HearthModelFile
import HearthModelSource
import TensorFlowLite

/// A labeling model ready to run: image in, ranked scores out. Use it from any thread.
///
/// A model with several outputs is labelled by its first, as ML Kit does.
final class LabelingModel: Sendable {
    /// The score threshold of the model's metadata.
    let threshold: Float?

    private let labels: LabelMap?
    private let model: ImageModel
    private let reader: ScoreReader
    private let calibration: ScoreCalibration?
    private let isAllowed: [Bool]?

    /// Opens a `.tflite` file, a bundle's folder or its zip.
    init(path: String, labelsPath: String?, filter: LabelFilter = LabelFilter(), settings: ModelSettings) throws {
        model = try ImageModel(path: path, labelsPath: labelsPath, use: .imageLabeling, settings: settings)
        let output = model.outputs[0]
        reader = try ScoreReader(output.description)
        labels = model.bundle.labels
        threshold = output.scoreThreshold
        if let labels, labels.count != reader.count {
            throw VisionError.make(
                .failedPrecondition,
                "The model gives \(reader.count) scores, but its label file has \(labels.count) lines.")
        }
        calibration = try model.bundle.scoreCalibration(ofOutput: 0)
        isAllowed = try filter.isAllowed(labels)
    }

    /// What to decode an image for; nil for all its pixels.
    func decodeTarget(region: PixelRect?) -> DecodeTarget? {
        model.input.decodeTarget(region: region)
    }

    /// The scores of one image that the ranking keeps.
    func entries(
        of image: DecodedImage, region: PixelRect?, _ ranking: LabelRanking, watch: ModelRunObservation
    ) throws -> [LabelRanking.Entry] {
        // Of all labels: a mean of those above the threshold alone would hide how often none is.
        var confidence = -Float.infinity
        let entries = try model.run(on: image, region: region, watch: watch) { interpreter, _ in
            try interpreter.withUnsafeOutputBytes(at: 0) { bytes in
                try reader.read(bytes) { score in
                    ranking.entries(count: reader.count) { index in
                        let score = finalScore(score(index), index)
                        if score > confidence { confidence = score }
                        return score
                    }
                }
            }
        }
        watch.found(confidence.isFinite ? confidence : nil)
        return entries
    }

    /// The name for people in the wanted language, else the class name; empty when the model names none.
    func text(of index: Int) -> String {
        labels?.displayName(index) ?? ""
    }

    /// Not a number for labels that may not be returned.
    private func finalScore(_ score: Float, _ index: Int) -> Float {
        if let isAllowed, !isAllowed[index] { return .nan }
        return calibration?.score(score, classIndex: index) ?? score
    }
}

/// Turns a score tensor's bytes into numbers: real = scale × (stored − zero point) for quantized types.
struct ScoreReader: Sendable {
    private enum Kind: Sendable {
        case float32
        case uint8(scale: Float, zeroPoint: Int)
        case int8(scale: Float, zeroPoint: Int)
    }

    let count: Int
    private let kind: Kind

    /// - Throws: when the output is not one row of scores in a type that labelers have.
    init(_ output: Tensor.Description) throws {
        let dimensions = output.shape.dimensions
        guard dimensions.count == 2 || dimensions.count == 4, dimensions.dropLast().allSatisfy({ $0 == 1 }),
            let count = dimensions.last, count > 0
        else {
            throw VisionError.make(
                .failedPrecondition,
                "The model is not an image labeler: its output '\(output.name)' has the shape \(dimensions), not [1, N]."
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

    /// Lends the scores, which are computed as they are asked for.
    /// - Throws: when there are not `count` of them, as after a run on an image of another size.
    func read<Result>(_ bytes: UnsafeRawBufferPointer, _ body: (_ score: (Int) -> Float) -> Result) throws -> Result {
        guard bytes.count == count * bytesPerScore else {
            throw VisionError.make(
                .failedPrecondition,
                "The model is not an image labeler: for this image it does not give \(count) scores.")
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

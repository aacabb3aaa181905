import Foundation
import HearthImaging
package import HearthModelFile

/// How images go into a model and what comes out, and what says so.
package struct ModelDescription: Sendable, Hashable {
    /// Everything that was found, so that a program that reads it need not look again.
    package let processing: ImageProcessing
    package let isDetector: Bool
    /// How an image becomes the input, in words.
    package let images: String
    /// What the outputs are, in words: a line for each head of a labeler, else one line.
    package let answers: [String]
    /// Whether the file does not state what the outputs are, so that the numbers of each run have to confirm it.
    package let isGuess: Bool

    /// - Parameters:
    ///   - outputs: What is known about the outputs.
    ///   - answers: The same in words.
    init(_ model: ImageModel, isDetector: Bool, outputs: ImageProcessing, answers: [String], isGuess: Bool = false) {
        processing = outputs.completed(by: Self.processing(model))
        self.isDetector = isDetector
        self.answers = answers
        self.isGuess = isGuess
        images = Self.images(model)
    }

    private static func processing(_ model: ImageModel) -> ImageProcessing {
        let found = model.found
        var processing = ImageProcessing(channels: found.channels.value, normalization: found.normalization.value)
        processing.resize =
            switch found.placement.value {
            case .stretch: .stretch
            case .fit(_, let isCentered): isCentered ? .letterbox : .letterboxTopLeft
            case .crop: .crop
            }
        return processing
    }

    // MARK: Words

    private static func images(_ model: ImageModel) -> String {
        let (shape, found) = (model.input.shape, model.found)
        let size = shape.hasOpenSize ? "of any size" : "\(shape.width) x \(shape.height)"
        let channels =
            switch found.channels.value {
            case .rgb: "RGB"
            case .bgr: "BGR"
            case .gray: "gray"
            case .rgba: "RGBA"
            }
        let arrangement = shape.isPlanar ? ", channel by channel (NCHW)" : ""
        return "\(channels), \(size)\(arrangement); \(values(found)) (\(found.normalization.evidence.text)); "
            + "\(placement(found.placement.value)) (\(found.placement.evidence.text))"
    }

    private static func values(_ found: InputFinder.Found) -> String {
        guard let normalization = found.normalization.value, normalization != .bytes else { return "bytes as they are" }
        let deviation = list(normalization.standardDeviation)
        if normalization.mean.allSatisfy({ $0 == 0 }) { return "byte / \(deviation)" }
        return "(byte - \(list(normalization.mean))) / \(deviation)"
    }

    private static func list(_ numbers: [Float]) -> String {
        let texts = numbers.map { String(format: "%g", Double($0)) }
        return texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ", "))]"
    }

    private static func placement(_ placement: ImagePlacement) -> String {
        switch placement {
        case .stretch: "stretched to the input's proportions"
        case .fit(let gray, isCentered: true): "fitted into the input, with a border of gray \(gray)"
        case .fit(let gray, isCentered: false): "fitted into the input's upper left corner, the rest gray \(gray)"
        case .crop: "cropped to the input's proportions"
        }
    }
}

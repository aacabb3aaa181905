import Foundation
import HearthImaging
package import HearthModelFile
import TensorFlowLite

/// How images go into a model and what comes out, and what says so.
package struct ModelDescription: Sendable, Hashable {
    /// Everything that was found, so that a program that reads it need not look again.
    package let processing: ImageProcessing
    package let isDetector: Bool
    /// How an image becomes the input, in words.
    package let images: String
    /// What the outputs are, in words: a line for each head of a labeler, else one line.
    package let answers: [String]

    /// What a model returns.
    enum Answers {
        case labels([LabelHead])
        case boxes(DetectionLayoutFinder.Found, DetectionLabels)
    }

    init(_ model: ImageModel, _ answers: Answers) {
        var processing = Self.processing(model)
        switch answers {
        case .labels(let heads):
            isDetector = false
            processing.activation = heads.first?.activation
            self.answers = heads.map { Self.text($0, isOnly: heads.count == 1) }
        case .boxes(let found, let labels):
            isDetector = true
            processing.layout = found.layout.name
            processing.overlapThreshold = Self.overlapThreshold(found.layout)
            self.answers = [Self.text(found, labels)]
        }
        self.processing = processing
        images = Self.images(model)
    }

    private static func processing(_ model: ImageModel) -> ImageProcessing {
        let found = model.found
        var processing = ImageProcessing(channels: found.channels.value, normalization: found.normalization.value)
        processing.resize =
            switch found.placement.value {
            case .stretch: .stretch
            case .fit: .letterbox
            case .crop: .crop
            }
        return processing
    }

    private static func overlapThreshold(_ layout: DetectionLayout) -> Float? {
        if case .scored = layout.form { Float(layout.suppression.overlapThreshold) } else { nil }
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
        let (mean, deviation) = (list(normalization.mean), list(normalization.standardDeviation))
        return "(byte - \(mean)) / \(deviation)"
    }

    private static func list(_ numbers: [Float]) -> String {
        let texts = numbers.map { String(format: "%g", Double($0)) }
        return texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ", "))]"
    }

    private static func placement(_ placement: ImagePlacement) -> String {
        switch placement {
        case .stretch: "stretched to the input's proportions"
        case .fit(let gray): "fitted into the input, with a border of gray \(gray)"
        case .crop: "cropped to the input's proportions"
        }
    }

    private static func text(_ head: LabelHead, isOnly: Bool) -> String {
        let count = (try? ScoreReader(head.output.description).count) ?? 0
        let what =
            switch (head.activation, head.labels) {
            case (.none, nil) where count == 1: "a number"
            case (.none, nil): "\(count) numbers without names: scores, logits or an embedding"
            case (.none, _): "scores of \(count) labels"
            case (.softmax, _): "logits of \(count) labels, by softmax"
            case (.sigmoid, _): "logits of \(count) labels, by sigmoid"
            }
        return isOnly ? what : "\(head.name ?? "output \(head.output.index)"): \(what)"
    }

    private static func text(_ found: DetectionLayoutFinder.Found, _ labels: DetectionLabels) -> String {
        let layout = found.layout
        let names = labels.count == 0 ? "no names" : "\(labels.count) names"
        let classes =
            switch layout.form {
            case .selected: names
            case .scored(_, _, _, let count): "\(count) classes, \(names)"
            case .grid(_, _, _, let count): "\(count - 1) classes, \(names)"
            }
        let check = layout.isGuess && found.evidence != .shape ? "; checked in each run" : ""
        return "\(layout.name.title) (\(layout.name.rawValue)), \(classes); layout by \(found.evidence.text)\(check)"
    }
}

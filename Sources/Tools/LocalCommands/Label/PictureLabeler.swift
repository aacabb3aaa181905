import Foundation
import HearthImaging
package import HearthModelSource
import HearthVision

/// Labels picture files with one model.
package struct PictureLabeler: PictureReader, Sendable {
    private let labeler: ImageLabeler
    private let decoding: ImageDecodeOptions

    /// For a demonstration: the best label of each picture.
    package init(model: LocalModel, name: String) throws {
        try self.init(model: model, name: name, wanted: LabelOptions(threshold: nil, maxCount: 1))
    }

    /// `name` is what error texts call the model: the user may never have seen its path.
    /// - Throws: when the model cannot be used.
    init(
        model: LocalModel, name: String, wanted: LabelOptions, decoding: ImageDecodeOptions = ImageDecodeOptions()
    ) throws {
        let options = CustomImageLabelerOptions(localModel: model)
        options.confidenceThreshold = wanted.threshold.map { NSNumber(value: $0) }
        options.maxResultCount = wanted.maxCount
        labeler = ImageLabeler.imageLabeler(options: options)
        self.decoding = decoding
        do {
            try labeler.checkModel()
        } catch {
            throw CommandFailure.model(model.path, name, error)
        }
    }

    package func answer(_ path: String) throws -> PictureLabels {
        PictureLabels(
            try labeler.results(in: VisionImage(contentsOfFile: path, options: decoding)).map {
                PictureLabels.Label(text: $0.text, confidence: $0.confidence, index: $0.index)
            })
    }
}

/// Which labels are wanted.
struct LabelOptions: Sendable {
    var threshold: Float?
    var maxCount: Int
}

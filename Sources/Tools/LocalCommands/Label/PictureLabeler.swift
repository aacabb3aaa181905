import Foundation
import HearthImaging
package import HearthModelSource
import HearthVision

/// What came of one picture, as `hearth label --json` prints it.
package struct PictureResult: Encodable {
    package struct Label: Encodable {
        package var text: String
        package var confidence: Float
        package var index: Int
    }

    package var image: String
    package var labels: [Label]?
    package var error: String?
}

/// Labels picture files with one model.
package struct PictureLabeler {
    private let labeler: ImageLabeler
    private let options: ImageDecodeOptions

    /// `name` is what error texts call the model: the user may never have seen its path.
    /// - Throws: when the model cannot be used.
    package init(model: LocalModel, name: String, threshold: Float? = nil, maxCount: Int, allowsPartial: Bool = false)
        throws
    {
        let options = CustomImageLabelerOptions(localModel: model)
        options.confidenceThreshold = threshold.map { NSNumber(value: $0) }
        options.maxResultCount = maxCount
        labeler = ImageLabeler.imageLabeler(options: options)
        self.options = ImageDecodeOptions(allowPartial: allowsPartial)
        do {
            try labeler.checkModel()
        } catch {
            let reason = (error as NSError).localizedDescription.replacingOccurrences(of: model.path, with: name)
            throw CommandFailure(reason.contains(name) ? reason : "\(name): \(reason)")
        }
    }

    package func label(_ path: String) -> PictureResult {
        do {
            let labels = try labeler.results(in: VisionImage(contentsOfFile: path, options: options))
            return PictureResult(
                image: path,
                labels: labels.map { .init(text: $0.text, confidence: $0.confidence, index: $0.index) })
        } catch {
            return PictureResult(image: path, error: (error as NSError).localizedDescription)
        }
    }
}

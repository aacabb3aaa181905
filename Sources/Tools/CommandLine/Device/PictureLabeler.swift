import Foundation
import HearthImaging
import HearthModelSource
import HearthVision

/// What came of one picture, as `hearth label --json` prints it.
struct PictureResult: Encodable {
    struct Label: Encodable {
        var text: String
        var confidence: Float
        var index: Int
    }

    var image: String
    var labels: [Label]?
    var error: String?
}

/// Labels picture files with one model.
struct PictureLabeler {
    private let labeler: ImageLabeler
    private let options: ImageDecodeOptions

    /// `name` is what error texts call the model: the user may never have seen its path.
    /// - Throws: when the model cannot be used.
    init(model: LocalModel, name: String, threshold: Float? = nil, maxCount: Int, allowsPartial: Bool = false) throws {
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

    func label(_ path: String) -> PictureResult {
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

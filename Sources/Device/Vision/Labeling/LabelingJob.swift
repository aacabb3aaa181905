import Foundation
import HearthImaging
import HearthModelSource

/// A decoded picture on its way through a model.
struct LabelingJob: Sendable {
    let model: LabelingModel
    let picture: DecodedImage
    let region: PixelRect?
    let ranking: LabelRanking
    let watch: ModelWatch

    /// Waits for the model's turn and runs it.
    func labels() throws(NSError) -> [ImageLabel] {
        do {
            return try model.entries(of: picture, region: region, ranking, watch: watch).map { entry in
                ImageLabel(text: model.text(of: entry.index), index: entry.index, confidence: entry.score)
            }
        } catch {
            throw VisionError.wrap(error)
        }
    }
}

import Foundation
import HearthModelFile
import HearthVision
import HearthWire

/// Finds how images go into a model and what comes out, with the code that runs models on images.
enum VisionInspector {
    /// Loads the model into the engine once more, if its input may be an image.
    /// - Returns: nil for a model that takes no image.
    static func vision(_ bytes: ModelBytes) -> ModelContract.Vision? {
        guard let kind = (try? ModelFile(bytes)).map(InMemoryImageModel.inputKind), kind != .other else { return nil }
        do {
            return ModelContract.Vision(try InMemoryImageModel(bytes: bytes, answerCount: 1).description)
        } catch {
            guard kind == .image else { return nil }
            let missing = (error as NSError).missingProcessing.map { missing in
                switch missing {
                case .normalization: ModelContract.Vision.normalization
                case .layout: ModelContract.Vision.layout
                }
            }
            return ModelContract.Vision(problem: error.probeText, missing: missing.map { [$0] })
        }
    }
}

extension ModelContract.Vision {
    init?(_ description: ModelDescription) {
        guard let json = try? description.processing.json(),
            let processing = try? WireJSON.decode(ImageProcessingBody.self, from: json)
        else { return nil }
        self.init(
            task: description.isDetector ? "boxes" : "labels", processing: processing, images: description.images,
            answers: description.answers, isGuess: description.isGuess)
    }
}

extension Error {
    /// One line for people who never see the file.
    var probeText: String { (self as? ModelFileError)?.message ?? (self as NSError).localizedDescription }
}

import Foundation
import HearthTestSupport
import HearthVision

/// An image of a digit and the package's own models for it.
enum Digit {
    private static let models = TestPaths.package.appendingPathComponent("Models")

    static let floatModelPath = models.appendingPathComponent("digits-labeler-float/model.tflite").path
    static let manifestPath = models.appendingPathComponent("digits-labeler/manifest.json").path

    static var seven: UIImage {
        UIImage(contentsOfFile: models.appendingPathComponent("digits-labeler/examples/7-a.png").path) ?? UIImage()
    }
}

import Foundation
import HearthModelSource
import HearthTestSupport
import HearthVision
import Testing

/// Labelers over the models in `Tests/Fixtures/labelers` (`make_labelers.py` there) and `Models`.
enum Labeler {
    static func path(_ name: String) -> String {
        TestPaths.fixtures.appendingPathComponent("labelers/\(name)").path
    }

    static func bundle(_ name: String) -> String {
        TestPaths.package.appendingPathComponent("Models/\(name)").path
    }

    /// Red 64, green and blue 192.
    static var pixel: VisionImage { VisionImage(contentsOfFile: path("pixel.png")) }

    static func make(
        _ model: LocalModel?, threshold: NSNumber? = nil, maxCount: Int = 0,
        resampling: ImageResampling = .antialiased
    ) -> ImageLabeler {
        let options = CustomImageLabelerOptions(localModel: model)
        options.confidenceThreshold = threshold
        options.maxResultCount = maxCount
        options.resampling = resampling
        return ImageLabeler.imageLabeler(options: options)
    }

    static func fixture(_ name: String, threshold: NSNumber? = nil, maxCount: Int = 0) -> ImageLabeler {
        make(LocalModel(path: path(name + ".tflite")), threshold: threshold, maxCount: maxCount)
    }

    /// The error of one call, checked to be the `NSError` that apps expect; nil when there is none.
    static func error(_ labeler: ImageLabeler, _ image: VisionImage = pixel) -> NSError? {
        do {
            _ = try labeler.results(in: image)
            return nil
        } catch {
            let error = type(of: error) == NSError.self ? error as NSError : nil
            #expect(error?.domain == "com.google.mlkit")
            #expect(error?.localizedDescription.contains("\n") == false)
            return error
        }
    }
}

extension ImageLabel {
    var summary: String { "\(index) \(text) \(confidence)" }
}

/// A label file in a folder of its own.
struct LabelFile {
    let folder: TemporaryFolder
    let path: String

    init(_ text: String) throws {
        folder = try TemporaryFolder()
        path = try folder.write(text.utf8, to: "labels.txt")
    }
}

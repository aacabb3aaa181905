import Foundation
import HearthDrawing
import HearthImaging
package import HearthModelSource
import HearthVision
import HearthWire

/// Finds objects in image files with one model.
package struct FileDetector: ImageAnalyzer, Sendable {
    let notices: [String]
    private let detector: BoxDetector
    private let readingOptions: ImageReadingOptions

    /// Without a threshold, models with a fixed number of boxes fill up with worse ones.
    private static let usualThreshold: Float = 0.5

    /// Finds objects with a probability above the model's own threshold, else one half, with one thread.
    package init(model: LocalModel, name: String) throws {
        try self.init(model: model, name: name, threshold: nil, looking: ImageReadingOptions(), threads: 1)
    }

    /// - Parameters:
    ///   - name: the model's name in error texts: the user may not know its path.
    ///   - threshold: nil for the model's own, else one half.
    ///   - maxCount: 0 for all.
    /// - Throws: if the model cannot be used.
    init(
        model: LocalModel, name: String, threshold: Float?, maxCount: Int = 0,
        looking readingOptions: ImageReadingOptions, threads: Int
    ) throws {
        var options = BoxDetectorOptions()
        options.scoreThreshold = threshold
        options.defaultThreshold = Self.usualThreshold
        options.maxBoxCount = maxCount
        options.threadCount = threads
        options.resampling = readingOptions.resampling
        options.processing = readingOptions.processing
        do {
            detector = try BoxDetector(model: model, options: options)
            notices = LabelFileNotice.lines(try detector.ambiguousLabelFiles(), advice: "name one with --labels")
        } catch {
            throw CommandFailure.model(model.path, name, error)
        }
        self.readingOptions = readingOptions.shared()
    }

    /// Draws the objects of an image on a copy of it. The copy replaces an existing file.
    package func draw(_ path: String, into file: String) throws {
        let drawer = DetectionDrawer(
            target: try DrawingTarget(file, isFile: true, overwrites: true), readingOptions: readingOptions)
        try drawer.draw(try answer(path), on: path, into: try drawer.file(for: path))
    }

    package func answer(_ path: String) throws -> DetectionResult {
        defer { readingOptions.giveBack() }
        let image = VisionImage(contentsOfFile: path, options: readingOptions.decoding)
        let boxes = try detector.boxes(in: image, region: readingOptions.region)
        let (width, height) = image.uprightSize ?? (0, 0)
        return DetectionResult(
            width: width, height: height,
            objects: boxes.map {
                DetectionResult.Object(text: $0.text, index: $0.index, confidence: $0.confidence, frame: $0.frame)
            },
            form: boxes.first.map { ConfidenceForm(for: $0.scoreRange) } ?? .percent)
    }
}

package import Foundation
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

    /// Finds objects with a probability above one half, with one thread.
    package init(model: LocalModel, name: String) throws {
        try self.init(model: model, name: name, threshold: 0.5, looking: ImageReadingOptions(), threads: 1)
    }

    /// - Parameters:
    ///   - name: the model's name in error texts: the user may not know its path.
    ///   - maxCount: 0 for all.
    /// - Throws: if the model cannot be used.
    init(
        model: LocalModel, name: String, threshold: Float, maxCount: Int = 0,
        looking readingOptions: ImageReadingOptions, threads: Int
    ) throws {
        var options = BoxDetectorOptions()
        options.scoreThreshold = threshold
        options.maxBoxCount = maxCount
        options.threadCount = threads
        options.resampling = readingOptions.resampling
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

/// The objects in one image, in the model's order.
package struct DetectionResult: ImageAnalysis {
    package struct Object: Sendable {
        package let text: String
        package let index: Int
        package let confidence: Float
        /// In pixels of the upright original image.
        package let frame: CGRect

        /// The name of the object.
        package var name: String { text.isEmpty ? "#\(index)" : text }
    }

    /// Of the upright original image, in pixels.
    package let width: Int
    package let height: Int
    package let objects: [Object]
    let form: ConfidenceForm

    init(width: Int, height: Int, objects: [Object], form: ConfidenceForm = .percent) {
        self.width = width
        self.height = height
        self.objects = objects
        self.form = form
    }

    var lines: [String] {
        if objects.isEmpty { return ["  no object"] }
        return objects.map { object in
            let frame = object.frame
            return """
                  \(form.text(object.confidence))  \(object.name)  at \(Self.whole(frame.minX)),\(Self.whole(frame.minY)), \
                \(Self.whole(frame.width)) x \(Self.whole(frame.height))
                """
        }
    }

    func write(to json: inout JSONLine) {
        json.member("width", width)
        json.member("height", height)
        json.member("objects", objects) { object, json in
            json.member("text", object.text)
            json.member("index", object.index)
            json.member("confidence", object.confidence)
            json.member("box") { json in
                json.member("left", Float(object.frame.minX))
                json.member("top", Float(object.frame.minY))
                json.member("right", Float(object.frame.maxX))
                json.member("bottom", Float(object.frame.maxY))
            }
        }
        form.write(to: &json)
    }

    /// Frames are inside images, which are far smaller than the limit. It keeps the conversion in range for any value.
    private static func whole(_ value: CGFloat) -> Int {
        Int(min(max(value.isNaN ? 0 : value, -1e9), 1e9).rounded())
    }
}

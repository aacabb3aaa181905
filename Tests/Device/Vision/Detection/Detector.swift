import Foundation
import HearthModelSource
import HearthTestSupport
import HearthVision
import Testing

/// Detectors over the models in `Tests/Fixtures/detection` (`make_detection_models.py` tells what they see).
enum Detector {
    static func path(_ name: String) -> String {
        TestPaths.fixtures.appendingPathComponent("detection/\(name)").path
    }

    static func image(_ name: String) -> VisionImage { VisionImage(contentsOfFile: path(name)) }

    /// 4 x 4: green 0.8 at column 1 of row 0, blue 1 at column 2 of row 3.
    static var spots: VisionImage { image("spots.png") }

    static func fixture(
        _ name: String, _ change: (inout BoxDetectorOptions) -> Void = { _ in }
    ) throws -> BoxDetector {
        var options = BoxDetectorOptions()
        change(&options)
        return try BoxDetector(model: LocalModel(path: path(name)), options: options)
    }

    /// What the initialiser throws, checked to be the `NSError` that apps expect.
    static func error(_ model: LocalModel, _ options: BoxDetectorOptions = BoxDetectorOptions()) -> NSError? {
        error { _ = try BoxDetector(model: model, options: options) }
    }

    static func error(_ body: () throws -> Void) -> NSError? {
        do {
            try body()
            return nil
        } catch {
            let error = type(of: error) == NSError.self ? error as NSError : nil
            #expect(error?.domain == "com.google.mlkit")
            #expect(error?.localizedDescription.contains("\n") == false)
            return error
        }
    }
}

extension DetectedBox {
    /// Class, text, score in hundredths, and the frame's edges.
    var summary: String {
        let edges = [frame.minX, frame.minY, frame.maxX, frame.maxY].map {
            String(format: "%g", ($0 * 100).rounded() / 100)
        }
        return "\(index) \(text) \(Int((confidence * 100).rounded())) \(edges.joined(separator: " "))"
    }
}

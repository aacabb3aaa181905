import Foundation
import HearthModelFile
import HearthModelSource
import HearthTestSupport
import HearthVision
import Testing

/// The models of `make_family_models.py`, which all find the same two objects.
@Suite("Detectors of common families")
struct FamilyDetectorTests {
    struct Family: Sendable, CustomTestStringConvertible {
        let name: String
        var processing = ImageProcessing()
        var testDescription: String { name }
    }

    static func path(_ name: String) -> String {
        TestPaths.fixtures.appendingPathComponent("families/\(name).tflite").path
    }

    private static let families = [
        Family(name: "yolov8"), Family(name: "yolov8_pixels"), Family(name: "yolov5"), Family(name: "yolo_nms"),
        Family(name: "detection_output"), Family(name: "custom_vision"), Family(name: "object_detection_server"),
        Family(name: "yolov5_nms", processing: ImageProcessing(layout: .yolov5NMS)),
    ]

    private static func boxes(
        _ name: String, _ processing: ImageProcessing = ImageProcessing(),
        _ change: (inout BoxDetectorOptions) -> Void = { _ in }
    ) throws -> [DetectedBox] {
        var options = BoxDetectorOptions()
        options.scoreThreshold = 0.25
        options.placement = .stretch
        options.processing = processing
        change(&options)
        return try BoxDetector(model: LocalModel(path: path(name)), options: options).boxes(
            in: Detector.image("white.png"))
    }

    /// In hundredths: the score, and the edges as shares of the image, which has 4 x 4 pixels.
    private static func summary(_ box: DetectedBox) -> String {
        let edges = [box.frame.minX, box.frame.minY, box.frame.maxX, box.frame.maxY].map { $0 / 4 }
        let numbers = ([Double(box.confidence)] + edges).map { Int(($0 * 100).rounded()) }
        return "\(box.index): \(numbers.map(String.init).joined(separator: " "))"
    }

    @Test("the same two objects, without the second box of the first", arguments: families)
    func objects(family: Family) throws {
        let boxes = try Self.boxes(family.name, family.processing)
        #expect(boxes.map(Self.summary) == ["2: 90 20 10 40 50", "1: 80 55 50 85 70"])
    }

    @Test("names from the exporter's description")
    func names() throws {
        #expect(try Self.boxes("yolov8_pixels").map(\.text) == ["cat", "dog"])
    }

    @Test("boxes in a letterbox are moved back to the image")
    func letterbox() throws {
        let image = Detector.image("wide.png")
        var options = BoxDetectorOptions()
        options.scoreThreshold = 0.85
        let detector = try BoxDetector(model: LocalModel(path: Self.path("yolov8")), options: options)
        let box = try #require(try detector.boxes(in: image).first)
        let size = try #require(image.uprightSize)
        #expect(size.width > size.height, "so that there is a border above and below")
        let border = (1 - Double(size.height) / Double(size.width)) / 2
        let share = { (y: Double) in (y - border) / (1 - 2 * border) }
        #expect(abs(box.unclippedFrame.minY / Double(size.height) - share(0.1)) < 0.001)
        #expect(abs(box.unclippedFrame.maxY / Double(size.height) - share(0.5)) < 0.001)
        #expect(abs(box.unclippedFrame.minX / Double(size.width) - 0.2) < 0.001)
    }

    @Test("the options' overlap keeps boxes that the usual one drops")
    func overlap() throws {
        #expect(try Self.boxes("yolov8") { $0.overlapThreshold = 1 }.count == 3)
        #expect(try Self.boxes("yolov8", ImageProcessing(overlapThreshold: 1)).count == 3)
    }

    @Test("touching cells of a grid are one object; class 0 is the background")
    func grid() throws {
        let boxes = try Self.boxes("fomo") { $0.scoreThreshold = 0.5 }
        #expect(boxes.map(Self.summary) == ["2: 90 25 13 50 38", "1: 80 75 75 88 88"])
    }

    @Test("a layout that the values contradict is refused for that image, and says why")
    func contradiction() throws {
        let error = Detector.error { _ = try Self.boxes("yolo_nms", ImageProcessing(layout: .yolov5)) }
        #expect(error?.localizedDescription.contains("but not its values: a score is 2.0") == true)
        #expect(error?.code == 9)
        let shape = Detector.error { _ = try Self.boxes("yolov8", ImageProcessing(layout: .yolov5)) }
        #expect(shape?.localizedDescription.contains("do not have the form of the layout yolov5") == true)
        let swapped = try Self.boxes("yolov5_nms", ImageProcessing(layout: .ssd))
        #expect(swapped.map(\.index) == [2, 1], "classes are whole numbers, whatever their place")
    }

    @Test("an object detector takes them too")
    func objectDetector() throws {
        let options = CustomObjectDetectorOptions(localModel: LocalModel(path: Self.path("yolov8_pixels")))
        options.shouldEnableClassification = true
        options.shouldEnableMultipleObjects = true
        let objects = try ObjectDetector.objectDetector(options: options).results(in: Detector.image("white.png"))
        #expect(Set(objects.flatMap { $0.labels.map(\.text) }) == ["cat", "dog"])
    }
}

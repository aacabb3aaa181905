import Foundation
import Testing

@testable import HearthModelFile
@testable import HearthVision

@Suite("Which output is what")
struct DetectionLayoutTests {
    private func finder(_ outputs: [(String, [Int])]) -> DetectionLayoutFinder {
        DetectionLayoutFinder(
            outputs: outputs.map { DetectionLayoutFinder.Output(name: $0.0, shape: $0.1) }, inputSize: (320, 320))
    }

    private static let three = [("a", [1, 40, 4]), ("b", [1, 40]), ("c", [1, 40])]
    private static let named = [
        ("detection_boxes", [1, 40, 4]), ("detection_classes", [1, 40]), ("detection_scores", [1, 40]),
    ]

    private func text(_ finder: DetectionLayoutFinder) -> String {
        let error = #expect(throws: (any Error).self) { try finder.layout() }
        return (error.map { VisionError.wrap($0) })?.localizedDescription ?? ""
    }

    @Test("by the names of the Object Detection API: with and without a count, with more outputs, in any order")
    func names() throws {
        let plain = try finder(Self.named).layout()
        #expect(plain.choice == .postprocessed(classes: 1, scores: 2, count: nil))
        #expect(plain.boxCount == 40)
        #expect(plain.coordinates == .detectionPostProcess)
        let video = try finder(Self.named + [("num_detections:0", []), ("lstm", [1, 8, 8, 320])]).layout()
        #expect(video.choice == .postprocessed(classes: 1, scores: 2, count: 3))
        var signed = finder(Self.three)
        for (place, name) in ["detection_boxes", "detection_scores", "detection_classes"].enumerated() {
            signed.outputs[place].signatureName = name
        }
        #expect(try signed.layout().choice == .postprocessed(classes: 2, scores: 1, count: nil))
    }

    @Test(
        "by shapes alone, nobody can tell classes from scores, nor the order of a box's sides",
        arguments: [
            three, three + [("d", [1])], [("s", [1]), ("b", [1, 7]), ("x", [1, 7, 4]), ("c", [1, 7])],
            [("boxes", [1, 1, 4]), ("scores", [1, 1]), ("classes", [1, 1])],
        ])
    func shapes(outputs: [(String, [Int])]) {
        let text = text(finder(outputs))
        #expect(text.hasPrefix("The model does not say which of its outputs contains boxes, classes and scores"))
        #expect(text.contains("tflite_metadata.json"))
        for (name, shape) in outputs { #expect(text.contains("'\(name)' \(shape)")) }
    }

    @Test("models of the Object Detection API for servers count classes from 1, so they are refused")
    func server() {
        let outputs = Self.named + [("raw_detection_boxes", [1, 60, 4]), ("raw_detection_scores", [1, 60, 3])]
        #expect(text(finder(outputs)).contains("Object Detection API for servers"))
    }

    @Test("boxes that are offsets from anchors are refused, unless the operator has decoded them")
    func anchors() throws {
        var finder = finder([("x", [1, 5, 4]), ("c", [1, 5]), ("s", [1, 5]), ("n", [1])])
        finder.metadata = ModelMetadata.Subgraph(customBlocks: [.init(name: "DETECTOR_METADATA", bytes: [])])
        #expect(text(finder).contains("offsets of boxes from anchors"))
        finder.postProcess = DetectionPostProcess(outputs: [0, 1, 2, 3], classCount: nil)
        #expect(try finder.layout().boxes == 0)
    }

    @Test("AutoML's description goes by the outputs' names, else by their order; a wrong one is not believed")
    func export() throws {
        func layout(_ json: String) throws -> DetectionLayout {
            var finder = finder(Self.three)
            finder.export = try DetectionExport(json: Array(json.utf8))
            return try finder.layout()
        }
        let words = #""outputTensorRepresentation": ["class_confidences", "class_labels", "bounding_boxes"]"#
        let named = try layout(#"{\#(words), "outputTensors": ["b", "c", "a"]}"#)
        #expect(named.choice == .postprocessed(classes: 2, scores: 1, count: nil))
        #expect(throws: (any Error).self, "the boxes are not of the shape of boxes") { try layout("{\(words)}") }
        let order = #"{"outputTensorRepresentation": ["bounding_boxes", "class_confidences", "class_labels"]}"#
        #expect(try layout(order).choice == .postprocessed(classes: 2, scores: 1, count: nil))
        #expect(throws: (any Error).self) {
            try layout(#"{"outputTensorRepresentation": ["?", "bounding_boxes", "x", "y", "z"]}"#)
        }
    }

    @Test("the operator is believed before all others")
    func operators() throws {
        var finder = finder([("s", [1, 5]), ("x", [1, 5, 4]), ("n", [1]), ("c", [1, 5])])
        finder.export = try DetectionExport(
            json: Array(
                #"{"outputTensorRepresentation": ["class_labels", "bounding_boxes", "", "class_confidences"]}"#.utf8))
        #expect(try finder.layout().choice == .postprocessed(classes: 0, scores: 3, count: nil))
        finder.postProcess = DetectionPostProcess(outputs: [1, 3, 0, 2], classCount: nil)
        #expect(try finder.layout().choice == .postprocessed(classes: 3, scores: 0, count: 2))
    }

    @Test(
        "anything else is refused with the outputs' names",
        arguments: [
            [], [("scores", [1, 1001])], [("a", [1, 40, 4])], [("a", [1, 40, 4]), ("b", [1, 40])],
            [("a", [2, 40, 4]), ("b", [2, 40]), ("c", [2, 40])], [("a", [1, 0, 4]), ("b", [1, 0]), ("c", [1, 0])],
            [("a", [1, 10, 4]), ("b", [1, 10, 91])], [("a", [40, 4]), ("b", [40]), ("c", [40])],
            [("a", [1, .max, 4]), ("b", [1, .max, .max])],
        ] as [[(String, [Int])]])
    func refusals(outputs: [(String, [Int])]) {
        let error = #expect(throws: (any Error).self) { try finder(outputs).layout() }
        let text = (error.map { VisionError.wrap($0) })?.localizedDescription ?? ""
        #expect(text.contains("not an object detector"))
        for (name, shape) in outputs { #expect(text.contains("'\(name)' \(shape)")) }
    }

    @Test("a text about very many outputs stays short")
    func manyOutputs() {
        let outputs = (0..<200).map { (String(repeating: "x", count: 500) + "\($0)", [1]) }
        let error = #expect(throws: (any Error).self) { try finder(outputs).layout() }
        #expect((error.map { VisionError.wrap($0) })?.localizedDescription.count ?? .max < 1200)
    }
}

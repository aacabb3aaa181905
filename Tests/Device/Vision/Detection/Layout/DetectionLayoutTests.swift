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

    /// Which outputs have boxes, classes, scores and the count.
    private func roles(_ finder: DetectionLayoutFinder) throws -> [Int?] {
        let layout = try finder.find().layout
        guard case .selected(let boxes, let classes, let scores, let count) = layout.form else { return [] }
        return [boxes.output, classes.output, scores.output, count]
    }

    private static let three = [("a", [1, 40, 4]), ("b", [1, 40]), ("c", [1, 40])]
    private static let named = [
        ("detection_boxes", [1, 40, 4]), ("detection_classes", [1, 40]), ("detection_scores", [1, 40]),
    ]

    private func text(_ finder: DetectionLayoutFinder) -> String {
        let error = #expect(throws: (any Error).self) { try finder.find() }
        return (error.map { VisionError.wrap($0) })?.localizedDescription ?? ""
    }

    @Test("by the names of the Object Detection API: with and without a count, with more outputs, in any order")
    func names() throws {
        #expect(try roles(finder(Self.named)) == [0, 1, 2, nil])
        let plain = try finder(Self.named).find()
        #expect(plain.evidence == .names)
        #expect(plain.layout.decoding == .coordinates(.detectionPostProcess))
        #expect(!plain.layout.isGuess)
        let video = finder(Self.named + [("num_detections:0", []), ("lstm", [1, 8, 8, 320])])
        #expect(try roles(video) == [0, 1, 2, 3])
        var signed = finder(Self.three)
        for (place, name) in ["detection_boxes", "detection_scores", "detection_classes"].enumerated() {
            signed.outputs[place].signatureName = name
        }
        #expect(try roles(signed) == [0, 2, 1, nil])
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
        for layout in ["ssd", "yolov5-nms", "ssd-scores"] { #expect(text.contains(layout)) }
        for (name, shape) in outputs { #expect(text.contains("'\(name)' \(shape)")) }
    }

    @Test("who knows the order of a box's sides states it; the values of a run tell classes from scores")
    func statedOrder() throws {
        var finder = finder(Self.three + [("d", [1])])
        finder.stated = (.yolov5NMS, .stated)
        let found = try finder.find()
        #expect(try roles(finder) == [0, 2, 1, 3])
        #expect(found.layout.decoding == .coordinates(.corners))
        #expect(found.layout.isGuess && found.layout.mayBeSwapped)
        finder.stated = (.ssd, .stated)
        #expect(try roles(finder) == [0, 1, 2, 3])
        #expect(try finder.find().layout.decoding == .coordinates(.detectionPostProcess))
        finder.stated = (.yolov8, .stated)
        #expect(text(finder).contains("do not have the form of the layout yolov8"))
    }

    @Test("models of the Object Detection API for servers count classes from 1")
    func server() throws {
        let outputs = Self.named + [("raw_detection_boxes", [1, 60, 4]), ("raw_detection_scores", [1, 60, 3])]
        #expect(try finder(outputs).find().layout.firstClass == .one)
        #expect(try finder(Self.named).find().layout.firstClass == .zero)
    }

    @Test("Custom Vision's outputs have no batch, and their boxes are left, top, right, bottom")
    func customVision() throws {
        let finder = finder([("detected_scores", [9]), ("detected_boxes", [9, 4]), ("detected_classes", [9])])
        #expect(try roles(finder) == [1, 2, 0, nil])
        #expect(try finder.find().layout.decoding == .coordinates(.corners))
    }

    @Test("anchors that do not fit the outputs are refused, unless the operator has decoded the boxes")
    func anchors() throws {
        var finder = finder([("x", [1, 5, 4]), ("c", [1, 5]), ("s", [1, 5]), ("n", [1])])
        finder.metadata = ModelMetadata.Subgraph(
            customBlocks: [ModelMetadata.CustomBlock(name: "DETECTOR_METADATA", bytes: [])])
        #expect(throws: (any Error).self) { try finder.find() }
        finder.postProcess = DetectionPostProcess(outputs: [0, 1, 2, 3], classCount: nil)
        #expect(try roles(finder) == [0, 1, 2, 3])
    }

    @Test("AutoML's description goes by the outputs' names, else by their order; a wrong one is not believed")
    func export() throws {
        func roles(_ json: String) throws -> [Int?] {
            var finder = finder(Self.three)
            finder.export = try DetectionExport(json: Array(json.utf8))
            return try self.roles(finder)
        }
        let words = #""outputTensorRepresentation": ["class_confidences", "class_labels", "bounding_boxes"]"#
        #expect(try roles(#"{\#(words), "outputTensors": ["b", "c", "a"]}"#) == [0, 2, 1, nil])
        #expect(throws: (any Error).self, "the boxes are not of the shape of boxes") { try roles("{\(words)}") }
        let order = #"{"outputTensorRepresentation": ["bounding_boxes", "class_confidences", "class_labels"]}"#
        #expect(try roles(order) == [0, 2, 1, nil])
        #expect(throws: (any Error).self) {
            try roles(#"{"outputTensorRepresentation": ["?", "bounding_boxes", "x", "y", "z"]}"#)
        }
    }

    @Test("the operator is believed before all others")
    func operators() throws {
        var finder = finder([("s", [1, 5]), ("x", [1, 5, 4]), ("n", [1]), ("c", [1, 5])])
        finder.export = try DetectionExport(
            json: Array(
                #"{"outputTensorRepresentation": ["class_labels", "bounding_boxes", "", "class_confidences"]}"#.utf8))
        #expect(try roles(finder) == [1, 0, 3, nil])
        finder.postProcess = DetectionPostProcess(outputs: [1, 3, 0, 2], classCount: nil)
        #expect(try roles(finder) == [1, 3, 0, 2])
    }

    @Test(
        "anything else is refused with the outputs' names",
        arguments: [
            [], [("scores", [1, 1001])], [("a", [1, 40, 4])], [("a", [1, 40, 4]), ("b", [1, 40])],
            [("a", [2, 40, 4]), ("b", [2, 40]), ("c", [2, 40])], [("a", [1, 0, 4]), ("b", [1, 0]), ("c", [1, 0])],
            [("a", [40, 4]), ("b", [40]), ("c", [40])], [("a", [1, .max, 4]), ("b", [1, .max, .max])],
        ] as [[(String, [Int])]])
    func refusals(outputs: [(String, [Int])]) {
        let text = text(finder(outputs))
        #expect(
            text.contains("The model is not an object detector") || text.contains("does not say which of its outputs"))
        for (name, shape) in outputs { #expect(text.contains("'\(name)' \(shape)")) }
    }

    @Test("a text about very many outputs stays short")
    func manyOutputs() {
        let outputs = (0..<200).map { (String(repeating: "x", count: 500) + "\($0)", [1]) }
        #expect(text(finder(outputs)).count < 1300)
    }
}

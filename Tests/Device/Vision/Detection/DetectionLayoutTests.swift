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

    @Test("by shapes: with and without a count, with more outputs than needed, in any order")
    func shapes() throws {
        let plain = try finder(Self.three).layout()
        #expect(plain.choice == .postprocessed(classes: 1, scores: 2, count: nil))
        #expect(plain.boxCount == 40)
        #expect(plain.coordinates == .detectionPostProcess)
        let counted = try finder(Self.three + [("d", [1])]).layout()
        #expect(counted.choice == .postprocessed(classes: 1, scores: 2, count: 3))
        let video = try finder(Self.three + [("d", []), ("lstm", [1, 8, 8, 320])]).layout()
        #expect(video.choice == .postprocessed(classes: 1, scores: 2, count: 3))
        let shuffled = try finder([("s", [1]), ("b", [1, 7]), ("x", [1, 7, 4]), ("c", [1, 7])]).layout()
        #expect(shuffled.boxes == 2)
        #expect(shuffled.choice == .postprocessed(classes: 1, scores: 3, count: 0))
        let single = try finder([("x", [1, 1, 4]), ("b", [1, 1]), ("c", [1, 1]), ("d", [1])]).layout()
        #expect(single.choice == .postprocessed(classes: 1, scores: 2, count: 3))
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
        #expect(try layout(#"{\#(words)}"#) == finder(Self.three).layout(), "the boxes are not of the shape of boxes")
        let order = #"{"outputTensorRepresentation": ["bounding_boxes", "class_confidences", "class_labels"]}"#
        #expect(try layout(order).choice == .postprocessed(classes: 2, scores: 1, count: nil))
        #expect(try layout(#"{"outputTensorRepresentation": ["?", "bounding_boxes", "x", "y", "z"]}"#).boxes == 0)
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

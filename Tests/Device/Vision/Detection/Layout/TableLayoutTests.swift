import Foundation
import HearthTestSupport
import Testing

@testable import HearthModelFile
@testable import HearthVision

@Suite("Layouts with one output, by its shape")
struct TableLayoutTests {
    private func finder(_ shape: [Int], side: Int = 640) -> DetectionLayoutFinder {
        DetectionLayoutFinder(
            outputs: [DetectionLayoutFinder.Output(name: "Identity", shape: shape)], inputSize: (side, side))
    }

    /// What Ultralytics' exporter writes.
    private func description(_ classCount: Int, task: String = "detect") -> ExporterDescription? {
        let names = (0..<classCount).map { "\"\($0)\": \"c\($0)\"" }.joined(separator: ", ")
        return ExporterDescription("{\"task\": \"\(task)\", \"names\": {\(names)}}")
    }

    @Test(
        "the families of a 640 x 640 input",
        arguments: [
            ([1, 25200, 85], .yolov5, 80), ([1, 25200, 6], .yolov5, 1), ([1, 84, 8400], .yolov8, 80),
            ([1, 5, 8400], .yolov8, 1), ([1, 300, 6], .yoloNMS, nil), ([1, 100, 6], .yoloNMS, nil),
            ([10, 7], .detectionOutput, nil), ([1, 1, 200, 7], .detectionOutput, nil), ([1, 60, 8], .yolov5, 3),
        ] as [([Int], BoxLayout, Int?)])
    func families(shape: [Int], name: BoxLayout, classCount: Int?) throws {
        let found = try finder(shape).find()
        #expect(found.layout.name == name)
        #expect(found.layout.classCount == classCount)
        #expect(found.evidence == .shape)
        #expect(found.layout.isGuess, "the values of each run confirm it")
    }

    @Test("rows with one place of each cell may have a score of an object or not: the labels decide")
    func rows() throws {
        var finder = finder([1, 8400, 85])
        #expect(throws: (any Error).self) { try finder.find() }
        finder.labelCount = 80
        let found = try finder.find()
        #expect(found.layout.name == .yolox)
        let usual = UsualInput(of: found, inputSide: 640)
        #expect(usual.placement == .fit(background: 114, isCentered: false) && usual.channels == .bgr)
        finder.labelCount = 81
        let transposed = try finder.find().layout
        #expect(transposed.name == .yolov8)
        #expect(transposed.classCount == 81)
        finder.stated = (.yolov5, .stated)
        #expect(try finder.find().layout.name == .yolov5)
    }

    @Test("one row of six or seven numbers is no box where the model ends like a classifier, nor are other tables")
    func classifiers() throws {
        for shape in [[1, 6], [1, 7], [1, 1, 6]] {
            var finder = finder(shape)
            finder.outputs[0].lastOperator = "CONCATENATION"
            #expect(try finder.find().evidence == .shape)
            for last in ["SOFTMAX", "LOGISTIC", "FULLY_CONNECTED"] {
                finder.outputs[0].lastOperator = last
                #expect(throws: (any Error).self) { try finder.find() }
            }
        }
        // The poses of six people.
        #expect(throws: (any Error).self) { try self.finder([1, 6, 56], side: 256).find() }
        // As many places as columns: Ultralytics' exporters write the places last.
        guard case .scored(let boxes, _, _, _) = try finder([1, 84, 84], side: 64).find().layout.form else {
            Issue.record("another form")
            return
        }
        #expect(boxes.isTransposed)
        // A map at a quarter of the size is rather a segmentation.
        var map = finder([1, 16, 16, 21], side: 64)
        map.outputs[0].lastOperator = "SOFTMAX"
        #expect(throws: (any Error).self) { try map.find() }
        map.stated = (.fomo, .stated)
        #expect(try map.find().layout.name == .fomo)
    }

    @Test("the exporter's names decide what the shape leaves open")
    func exporter() throws {
        var finder = finder([1, 25200, 6])
        finder.exporter = description(1)
        #expect(try finder.find().layout.name == .yolov5)
        #expect(try finder.find().evidence == .exporter)
        finder = self.finder([1, 6, 8400])
        finder.exporter = description(2)
        #expect(try finder.find().layout.classCount == 2)
        finder = self.finder([1, 300, 6])
        finder.exporter = description(80)
        #expect(try finder.find().layout.name == .yoloNMS)
        // Names of another number of classes than the output has.
        finder = self.finder([1, 84, 8400])
        finder.exporter = description(3)
        #expect(throws: (any Error).self) { try finder.find() }
    }

    @Test(
        "other tasks are called what they are",
        arguments: [
            ("segment", "masks"), ("pose", "key points"), ("obb", "turned boxes"), ("classify", "whole images"),
        ])
    func tasks(task: String, word: String) {
        var finder = finder([1, 116, 8400])
        finder.exporter = description(80, task: task)
        let error = #expect(throws: (any Error).self) { try finder.find() }
        #expect((error.map { VisionError.wrap($0) })?.localizedDescription.contains(word) == true)
    }

    @Test("a grid of cells is FOMO's if its numbers are probabilities; else it may be a mask")
    func grid() throws {
        var finder = finder([1, 12, 12, 3], side: 96)
        #expect(throws: (any Error).self) { try finder.find() }
        finder.outputs[0].lastOperator = "SOFTMAX"
        #expect(try finder.find().layout.form == .grid(output: 0, columnCount: 12, rowCount: 12, classCount: 3))
        finder.outputs[0].lastOperator = nil
        finder.stated = (.fomo, .stated)
        #expect(try finder.find().layout.name == .fomo)
    }

    @Test(
        "what is neither labels nor boxes is called what it is",
        arguments: [
            ([1, 640, 640, 21], "mask"), ([1, 1, 17, 3], "key points"), ([1, 320, 320, 1], "mask"),
            ([1, 21, 640, 640], "mask"),
        ] as [([Int], String)])
    func others(shape: [Int], word: String) {
        let error = #expect(throws: (any Error).self) { try finder(shape).find() }
        #expect((error.map { VisionError.wrap($0) })?.localizedDescription.contains(word) == true)
    }

    @Test(
        "MediaPipe's anchors are generated, as many as the model has places; its images have the usual range",
        arguments: [
            (128, 896, 16, .minusOneToOne), (256, 896, 16, .minusOneToOne), (192, 2304, 16, .minusOneToOne),
            (256, 2944, 18, .minusOneToOne), (192, 2016, 18, .zeroToOne), (224, 2254, 12, .minusOneToOne),
        ] as [(Int, Int, Int, ImageProcessing.Normalization)])
    func blazeFace(side: Int, places: Int, numbers: Int, range: ImageProcessing.Normalization) throws {
        let finder = DetectionLayoutFinder(
            outputs: [
                DetectionLayoutFinder.Output(name: "classificators", shape: [1, places, 1]),
                DetectionLayoutFinder.Output(name: "regressors", shape: [1, places, numbers]),
            ], inputSize: (side, side))
        let found = try finder.find()
        #expect(found.layout.name == .blazeFace)
        guard case .anchored(let anchors) = found.layout.decoding else {
            Issue.record("no anchors")
            return
        }
        #expect(anchors.anchors.count == places)
        #expect(UsualInput(of: found, inputSide: side).normalization == range)
    }

    @Test("no shape crashes the finder")
    func anyShape() {
        var random = SeededGenerator(seed: 45)
        let sizes = [0, 1, 2, 4, 5, 6, 7, 17, 84, 8400, Int.max, -1]
        for _ in 0..<5000 {
            let shape = (0..<Int.random(in: 0...5, using: &random)).map { _ in sizes.randomElement(using: &random) ?? 1
            }
            var finder = finder(shape, side: [1, 8, 640].randomElement(using: &random) ?? 8)
            finder.outputs[0].lastOperator = Bool.random(using: &random) ? "SOFTMAX" : nil
            finder.labelCount = [nil, 1, 80].randomElement(using: &random) ?? nil
            if Bool.random(using: &random) {
                finder.stated = BoxLayout.allCases.randomElement(using: &random).map { ($0, .stated) }
            }
            _ = try? finder.find()
        }
    }
}

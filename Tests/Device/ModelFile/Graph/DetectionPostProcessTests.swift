import Foundation
import HearthModelFile
import HearthTestSupport
import Testing

/// What a detection model's last operator says of its outputs and classes.
@Suite struct DetectionPostProcessTests {
    /// max_detections 40, num_classes 5, use_regular_nms false, x_scale 10.
    private static let options: [UInt8] = [
        109, 97, 120, 95, 100, 101, 116, 101, 99, 116, 105, 111, 110, 115, 0, 110, 117, 109, 95, 99, 108, 97, 115,
        115, 101, 115, 0, 117, 115, 101, 95, 114, 101, 103, 117, 108, 97, 114, 95, 110, 109, 115, 0, 120, 95, 115,
        99, 97, 108, 101, 0, 4, 52, 38, 27, 12, 4, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 40, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 32, 65, 6, 6, 106, 14, 20, 38, 1,
    ]

    private func model(
        _ options: [UInt8]?, outputs: [Int32] = [1, 2, 3, 4], name: String = "TFLite_Detection_PostProcess"
    ) throws -> ModelFile {
        var model = TestModel()
        model.subgraphs[0].tensors = (0..<5).map { TestModel.Tensor(name: "t\($0)") }
        model.subgraphs[0].outputs = outputs
        model.subgraphs[0].nodes = [
            TestModel.Node(code: 32, custom: name, inputs: [0], outputs: [1, 2, 3, 4], customOptions: options)
        ]
        return try model.file()
    }

    @Test func findsOutputsAndClassCount() throws {
        let found = try #require(try DetectionPostProcess(of: model(Self.options)))
        #expect(found.outputs == [0, 1, 2, 3])
        #expect(found.classCount == 5)
        let shuffled = try DetectionPostProcess(of: model(Self.options, outputs: [3, 1, 0, 2]))
        #expect(shuffled?.outputs == [1, 3, 0, nil])
        #expect(try DetectionPostProcess(of: model(Self.options, name: "Other")) == nil)
        #expect(try DetectionPostProcess(of: TestModel().file()) == nil)
    }

    @Test func findsOutputsThatGetAnotherShape() throws {
        var model = TestModel()
        model.subgraphs[0].tensors = (0..<7).map { TestModel.Tensor(name: "t\($0)") }
        model.subgraphs[0].outputs = [6, 2, 3, 4]
        model.subgraphs[0].nodes = [
            TestModel.Node(
                code: 32, custom: "TFLite_Detection_PostProcess", inputs: [0], outputs: [1, 2, 3, 4],
                customOptions: Self.options),
            TestModel.Node(code: 22, inputs: [1], outputs: [5]), TestModel.Node(code: 43, inputs: [5], outputs: [6]),
        ]
        #expect(try DetectionPostProcess(of: model.file())?.outputs == [0, 1, 2, 3])
        // Other operators change the elements.
        model.subgraphs[0].nodes[1].code = 101
        #expect(try DetectionPostProcess(of: model.file())?.outputs == [nil, 1, 2, 3])
    }

    @Test func readsEveryKindOfNumber() throws {
        // num_classes 70000 kept apart from the map, beside a text and a number of 64 bits.
        let options: [UInt8] = [
            110, 117, 109, 95, 99, 108, 97, 115, 115, 101, 115, 0, 112, 17, 1, 0, 110, 97, 109, 101, 0, 1, 120, 0,
            98, 105, 103, 0, 3, 5, 14, 31, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 1, 0, 0, 42, 0, 0, 0, 0, 0, 0, 0, 60, 0, 0, 0, 0, 0, 0, 0, 7, 20, 26, 27, 39, 1,
        ]
        #expect(try DetectionPostProcess(of: model(options))?.classCount == 70000)
    }

    @Test func optionsMayBeAbsent() throws {
        #expect(try DetectionPostProcess(of: model(nil))?.classCount == nil)
        #expect(try DetectionPostProcess(of: model([]))?.classCount == nil)
    }

    @Test func refusesOptionsThatAreNoMap() throws {
        for options in [[1], [1, 2, 3], [2, 1, 2, 4, 4, 4, 40, 1], Array(Self.options.dropLast())] as [[UInt8]] {
            let file = try model(options)
            let error = #expect(throws: ModelFileError.self) { try DetectionPostProcess(of: file) }
            #expect(error?.code == .malformed)
        }
        let long = try model([UInt8](repeating: 0, count: 1 << 17))
        #expect(throws: ModelFileError.self) { try DetectionPostProcess(of: long) }
    }

    /// Each byte in turn takes each value of a few telling ones: read or refused, never more.
    @Test func damagedOptionsNeverCrash() throws {
        for index in Self.options.indices {
            for value in [0, 1, 2, 4, 8, 36, 0x7F, 0x80, 0xFF] as [UInt8] {
                var options = Self.options
                options[index] = value
                _ = try? DetectionPostProcess(of: model(options))
            }
            _ = try? DetectionPostProcess(of: model(Array(Self.options.prefix(index))))
        }
    }

    @Test(
        .enabled(if: TestPaths.hasSharedData, "the shared data is absent"),
        arguments: [
            ("salad_automl/salad1_automl.tflite", 5),
            ("ssd_coco/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite", 90),
            ("traffic_automl/traffic_model.tflite", 3),
        ])
    func realModels(name: String, classCount: Int) throws {
        let path = TestPaths.shared.appendingPathComponent("models/\(name)").path
        let found = try #require(try DetectionPostProcess(of: ModelFile(contentsOfFile: path)))
        #expect(found.outputs == [0, 1, 2, 3])
        #expect(found.classCount == classCount)
    }
}

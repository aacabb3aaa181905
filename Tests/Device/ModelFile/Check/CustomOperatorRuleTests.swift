import HearthModelFile
import Testing

/// Rule R18. Each failing model here made the engine follow a pointer into nowhere, or write past a tensor's end.
@Suite struct CustomOperatorRuleTests {
    /// Three boxes, two classes and a background.
    private struct Detection {
        var options: [String: FlexBufferBuilder.Value] = [
            "h_scale": .float(5), "max_classes_per_detection": .integer(1), "max_detections": .integer(10),
            "nms_iou_threshold": .float(0.5), "num_classes": .integer(2), "use_regular_nms": .integer(0),
        ]
        /// The options as they are in the file, where they are not those above.
        var bytes: [UInt8]?
        var hasOptions = true
        var tensors: [TestModel.Tensor] =
            [[1, 3, 4], [1, 3, 3], [3, 4], [1, 10, 4], [1, 10], [1, 10], [1]].enumerated().map { number, shape in
                TestModel.Tensor(name: "t\(number)", shape: shape)
            }
        var inputs: [Int32] = [0, 1, 2]

        func model() -> TestModel {
            let sorted = options.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) }
            var model = TestModel()
            model.subgraphs[0].tensors = tensors
            model.subgraphs[0].inputs = [0, 1, 2]
            model.subgraphs[0].outputs = [3, 4, 5, 6]
            model.subgraphs[0].nodes = [
                .init(
                    code: 32, custom: "TFLite_Detection_PostProcess", inputs: inputs, outputs: [3, 4, 5, 6],
                    customOptions: hasOptions ? bytes ?? FlexBufferBuilder.map(sorted) : nil)
            ]
            return model
        }

        func error() -> ModelFileError? {
            #expect(throws: ModelFileError.self) { try model().file().checkForLoading() }
        }
    }

    private func with(_ change: (inout Detection) -> Void) -> Detection {
        var detection = Detection()
        change(&detection)
        return detection
    }

    @Test func acceptsDetectionsWithSoundOptions() throws {
        for detection in [
            Detection(), with { $0.options["max_detections"] = .float(10) },
            with { $0.options["nms_iou_threshold"] = nil }, with { $0.tensors[2].shape = [4, 4] },
            with { $0.tensors[3].shape = [] },
        ] {
            try detection.model().file().checkForLoading()
        }
    }

    @Test func refusesOptionsThatCannotBeRead() {
        for detection in [with { $0.hasOptions = false }, with { $0.bytes = [] }, with { $0.bytes = [1, 2, 3] }] {
            let error = detection.error()
            #expect(error?.code == .malformed)
            #expect(error?.message.contains("are not a map") == true, "\(error?.message ?? "")")
        }
    }

    @Test func refusesKeysThatAreMoreThanTheValues() throws {
        var bytes = FlexBufferBuilder.map([("a", .integer(1)), ("b", .integer(2))])
        // Two keys of 2 bytes, then their count.
        #expect(bytes[4..<8] == [2, 0, 0, 0])
        bytes[4] = 3
        let error = with { $0.bytes = bytes }.error()
        #expect(error?.message.contains("are not a map, or point outside of it") == true)
    }

    @Test(arguments: ["max_detections", "max_classes_per_detection", "num_classes"])
    func refusesCountsThatAreMissingOrAbsurd(key: String) {
        #expect(with { $0.options[key] = nil }.error()?.message.contains("lacks its option \(key)") == true)
        for value in [.integer(0), .integer(-1), .integer(.max), .float(1.5), .float(.nan)] as [FlexBufferBuilder.Value]
        {
            let error = with { $0.options[key] = value }.error()
            #expect(error?.code == .malformed)
            #expect(error?.message.contains("as its option \(key), where it needs 1 to") == true, "\(value)")
        }
        #expect(
            with { $0.options[key] = .text }.error()?.message.contains("option \(key) that is not a number") == true)
    }

    @Test func refusesOtherOptionsThatAreNoNumbers() {
        let error = with { $0.options["h_scale"] = .text }.error()
        #expect(error?.message.contains("has an option h_scale that is not a number") == true)
    }

    @Test func refusesKeysOutOfOrder() {
        let error = with {
            $0.bytes = FlexBufferBuilder.map(
                $0.options.sorted { $0.key > $1.key }.map { (key: $0.key, value: $0.value) })
        }.error()
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("keys are not in order") == true)
    }

    @Test func refusesResultsThatNoMemoryHolds() throws {
        // Each has a box of 16 bytes; 2^31 bytes are too many.
        let detection = { (classes: Int32) in
            self.with {
                $0.options["max_detections"] = .integer(1 << 14)
                $0.options["max_classes_per_detection"] = .integer(classes)
            }
        }
        try detection((1 << 13) - 1).model().file().checkForLoading()
        let error = detection(1 << 13).error()
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("operands that do not fit each other or its options") == true)
    }

    @Test func refusesOperandsThatDoNotFit() {
        let changes: [(inout Detection) -> Void] = [
            { $0.tensors[2].shape = [2, 4] }, { $0.tensors[2].shape = [3, 3] }, { $0.tensors[2].type = .uint8 },
            { $0.tensors[0].type = .int8 }, { $0.tensors[1].type = .int64 }, { $0.tensors[4].type = .int32 },
        ]
        for change in changes {
            let error = with(change).error()
            #expect(error?.code == .unsupported)
            #expect(error?.message.contains("operands that do not fit each other") == true)
        }
        for inputs in [[0, 1], [0, 1, -1]] as [[Int32]] {
            #expect(with { $0.inputs = inputs }.error()?.message.contains("it needs 3 and 4") == true)
        }
    }

    @Test func otherCustomOperatorsOfTheEngineNeedOptionsToo() throws {
        func model(_ name: String, _ inputs: Int32, _ entries: [(key: String, value: FlexBufferBuilder.Value)])
            -> TestModel
        {
            var model = TestModel()
            model.subgraphs[0].tensors = (0...inputs).map { TestModel.Tensor(name: "t\($0)") }
            model.subgraphs[0].inputs = Array(0..<inputs)
            model.subgraphs[0].outputs = [inputs]
            model.subgraphs[0].nodes = [
                .init(
                    code: 32, custom: name, inputs: Array(0..<inputs), outputs: [inputs],
                    customOptions: FlexBufferBuilder.map(entries))
            ]
            return model
        }
        try model("AudioSpectrogram", 1, [("stride", .integer(160)), ("window_size", .integer(400))]).file()
            .checkForLoading()
        try model("Mfcc", 2, [("dct_coefficient_count", .integer(13)), ("filterbank_channel_count", .integer(40))])
            .file().checkForLoading()
        try model("aeq.hadamard_rotation", 1, [("hadamard_size", .integer(4))]).file().checkForLoading()
        try model("NumericVerify", 2, []).file().checkForLoading()
        try model("Other", 2, [("b", .text), ("a", .text)]).file().checkForLoading()
        for (name, inputs, entries) in [
            ("AudioSpectrogram", 1, [("stride", .integer(160)), ("window_size", .integer(65537))]),
            ("Mfcc", 2, [("dct_coefficient_count", .integer(0)), ("filterbank_channel_count", .integer(40))]),
            ("NumericVerify", 2, [("tolerance", .text)]), ("NumericVerify", 1, []),
            ("aeq.hadamard_rotation", 1, []), ("aeq.hadamard_rotation", 1, [("hadamard_size", .integer(0))]),
            ("aeq.hadamard_rotation", 1, [("hadamard_size", .integer(3))]),
        ] as [(String, Int32, [(key: String, value: FlexBufferBuilder.Value)])] {
            #expect(throws: ModelFileError.self, "\(name)") {
                try model(name, inputs, entries).file().checkForLoading()
            }
        }
    }
}

import Testing

@testable import HearthModelFile

/// A rewritten model says what the old one said, but for the changes.
@Suite struct ModelRewriteTests {
    // MARK: The whole file

    /// The contents of constants, options and metadata, in this order.
    private func contents(_ file: ModelFile) -> [[UInt8]?] {
        let subgraphs = file.graph.subgraphs
        let ranges =
            subgraphs.flatMap(\.tensors).map(\.data) + subgraphs.flatMap(\.operators).map(\.customOptions)
            + file.graph.metadata.map(\.data)
        return ranges.map(file.content)
    }

    @Test(arguments: ModelFile.fixtureNames) func keepsAllThatIsNotChanged(name: String) throws {
        let old = try ModelFile(fixture: name)
        let new = try old.rewritten { _ in }
        #expect(new.graph.withoutPlaces == old.graph.withoutPlaces)
        #expect(contents(new) == contents(old))
        try new.checkForLoading()
    }

    @Test func theOldFileFollowsAtAMultipleOf64() throws {
        let old = try ModelFile(fixture: "models/where.tflite")
        let new = try old.diverting([0])
        let shift = new.bytes.count - old.bytes.count
        #expect(shift > 0 && shift.isMultiple(of: 64))
        #expect(new.content(shift..<new.bytes.count) == old.content(0..<old.bytes.count))
    }

    @Test func keepsMetadataAndDescription() throws {
        var model = TestModel()
        model.metadata = [("TFLITE_METADATA", TestMetadata.block()), ("other", [1, 2])]
        let old = try model.file()
        let new = try old.diverting([0])
        #expect(try ModelMetadata(of: new) == ModelMetadata(of: old))
        #expect(new.graph.metadataNames == ["TFLITE_METADATA", "other"])
        #expect(new.content(new.graph.metadata[1].data) == [1, 2])
        #expect(try SourceTables(new.bytes).model.string(3, "description") == "made by a test")
    }

    @Test func constantsBehindTheFlatbufferMoveAlong() throws {
        let old = try ModelFile(fixture: "rewrite/far_constants.tflite")
        let new = try old.diverting([0])
        let constants = old.graph.subgraphs[0].tensors.filter { $0.data?.isEmpty == false }
        #expect(constants.count == 2)
        for (before, after) in zip(old.graph.subgraphs[0].tensors, new.graph.subgraphs[0].tensors) {
            #expect(new.content(after.data) == old.content(before.data))
        }
    }

    @Test func largeOptionsMoveAlong() throws {
        var model = TestModel()
        model.subgraphs[0].nodes[0].largeOptions = (offset: 16, size: 8)
        let old = try model.file()
        let new = try old.rewritten { _ in }
        let expected = UInt64(16 + new.bytes.count - old.bytes.count)
        #expect(Set(try SourceTables(new.bytes).absoluteOffsets().values) == [expected])

        let count = UInt64(old.bytes.count)
        for (offset, size) in [(count, 1), (count + 1, 0), (2, .max), (.max, 2)] as [(UInt64, UInt64)] {
            model.subgraphs[0].nodes[0].largeOptions = (offset, size)
            let damaged = try model.file()
            let error = #expect(throws: ModelFileError.self) { try damaged.rewritten { _ in } }
            #expect(error?.code == .malformed)
        }
        // Up to the very last byte is inside.
        model.subgraphs[0].nodes[0].largeOptions = (count - 1, 1)
        let lastByte = try model.file()
        #expect(throws: Never.self) { try lastByte.rewritten { _ in } }
    }

    // MARK: Signatures

    @Test func signaturesAreReplacedAddedAndRemoved() throws {
        let old = try ModelFile(fixture: "models/where.tflite")
        let graph = old.graph.subgraphs[0]
        let signature = ModelGraph.Signature(
            key: "find", subgraph: 0, inputs: [.init(name: "numbers", tensor: graph.inputs[0])],
            outputs: [.init(name: "places", tensor: graph.outputs[0])])
        let named = try old.rewritten { $0.setSignatures([signature]) }
        #expect(named.signatures == [signature])
        try named.checkForLoading()

        let diverted = try old.rewritten {
            $0.setSignatures([signature])
            $0.divertOutput(0, ofSubgraph: 0, toCustom: "Sink")
        }
        #expect(
            diverted.signatures[0].outputs == [.init(name: "places", tensor: diverted.graph.subgraphs[0].outputs[0])])
        try diverted.checkForLoading()

        #expect(try diverted.rewritten { $0.setSignatures([]) }.signatures.isEmpty)
    }

    // MARK: Scales

    private func constant(_ shape: [Int32], scales: [Float], count: Int) -> TestModel {
        var model = TestModel()
        model.subgraphs[0].tensors.append(
            .init(
                name: "w", shape: shape, type: .int8, data: [UInt8](repeating: 7, count: count), scales: scales,
                zeroPoints: scales.map { _ in 2 }))
        model.subgraphs[0].nodes = [.init(code: 9, inputs: [0, 2], outputs: [1])]
        return model
    }

    @Test func repeatsAScaleInATensorForAllWhoNeedIt() throws {
        var model = constant([2, 4], scales: [0.5], count: 8)
        for name in ["z", "untouched"] {
            model.subgraphs[0].tensors.append(.init(name: name))
            model.subgraphs[0].nodes.append(
                .init(code: 9, inputs: [0, 2], outputs: [Int32(model.subgraphs[0].tensors.count - 1)]))
        }
        let old = try model.file()
        let new = try old.rewritten { rewrite in
            for number in 0..<2 { rewrite.repeatScale(ofInput: 1, ofOperator: number, inSubgraph: 0, along: 0) }
        }
        let (before, after) = (old.graph.subgraphs[0], new.graph.subgraphs[0])
        #expect(after.operators.map(\.inputs) == [[0, 5], [0, 5], [0, 2]])
        #expect(after.tensors.count == 6)
        #expect(after.tensors[2].quantization == before.tensors[2].quantization)
        #expect(after.tensors[5].shape == [2, 4] && after.tensors[5].type == .int8)
        #expect(after.tensors[5].quantization?.scales == [0.5, 0.5])
        #expect(after.tensors[5].quantization?.zeroPoints == [2, 2])
        #expect(after.tensors[5].quantization?.dimension == 0)
        #expect(after.tensors[5].buffer == after.tensors[2].buffer)
        #expect(new.content(after.tensors[5].data) == [UInt8](repeating: 7, count: 8))
        try new.checkForLoading()
    }

    @Test func repeatsOnlyOneScaleOfAConstant() throws {
        let models = [
            (constant([2, 4], scales: [0.5, 1], count: 8), 0), (constant([2, 4], scales: [], count: 8), 0),
            (constant([2, 4], scales: [0.5], count: 0), 0), (constant([2, 4], scales: [0.5], count: 8), 2),
        ]
        for (model, dimension) in models {
            let file = try model.file()
            let error = #expect(throws: ModelFileError.self) {
                try file.rewritten {
                    $0.repeatScale(ofInput: 1, ofOperator: 0, inSubgraph: 0, along: dimension)
                }
            }
            #expect(error?.code == .invalidRewrite)
        }
    }

    /// A small file can have many tensors with the same bytes.
    @Test func repeatsNoMoreScalesThanModelsHave() throws {
        let count = 1 << 20
        let file = try constant([1, Int32(count)], scales: [0.5], count: count).file()
        _ = try file.rewritten { $0.repeatScale(ofInput: 1, ofOperator: 0, inSubgraph: 0, along: 1) }
        var many = constant([1, Int32(count)], scales: [0.5], count: count)
        many.subgraphs[0].tensors.append(many.subgraphs[0].tensors[2])
        many.subgraphs[0].tensors[3].name = "v"
        many.subgraphs[0].nodes.append(.init(code: 9, inputs: [0, 3], outputs: [1]))
        let twice = try many.file()
        let tooLarge = #expect(throws: ModelFileError.self) {
            try twice.rewritten { rewrite in
                for number in 0..<2 {
                    rewrite.repeatScale(ofInput: 1, ofOperator: number, inSubgraph: 0, along: 1)
                }
            }
        }
        #expect(tooLarge?.code == .tooLarge)
    }

    // MARK: Operators and state

    @Test func replacesAnOperatorAndClearsItsState() throws {
        var model = TestModel()
        model.subgraphs[0].tensors = [
            .init(name: "x"), .init(name: "y"), .init(name: "state", isVariable: true), .init(name: "other"),
        ]
        model.subgraphs[0].nodes = [
            .init(
                code: 44, inputs: [0, -1, 2], outputs: [3], intermediates: [2], mutating: [0, 0, 1],
                customOptions: [1]),
            .init(code: 19, inputs: [3], outputs: [1]),
        ]
        let old = try model.file()
        let new = try old.rewritten {
            $0.replaceOperator(0, inSubgraph: 0, withCustom: "Mine", inputs: [0])
            $0.clearVariable(tensor: 2, inSubgraph: 0)
            $0.clearVariable(tensor: 0, inSubgraph: 0)
        }
        try new.checkForLoading()
        let node = new.graph.subgraphs[0].operators[0]
        #expect(node.builtinCode == 32 && node.name == "Mine" && node.version == 1)
        #expect(node.inputs == [0] && node.outputs == [3] && node.intermediates.isEmpty)
        #expect(node.customOptions == nil && !node.mutatesInputs)
        #expect(new.graph.subgraphs[0].operators[1] == old.graph.subgraphs[0].operators[1])
        #expect(new.graph.subgraphs[0].tensors.allSatisfy { !$0.isVariable })
        #expect(new.graph.subgraphs[0].tensors.count == 4)
    }

    @Test func restatesAShapeAndNothingElse() throws {
        var model = TestModel()
        model.subgraphs[0].tensors[1].isVariable = true
        let old = try model.file()
        let new = try old.rewritten {
            $0.restateShape(ofTensor: 1, inSubgraph: 0, as: [1, 7], signature: [-1, 7])
        }
        var expected = old.graph.withoutPlaces
        expected.subgraphs[0].tensors[1].shape = [1, 7]
        expected.subgraphs[0].tensors[1].shapeSignature = [-1, 7]
        #expect(new.graph.withoutPlaces == expected)

        let quantized = try ModelFile(fixture: "models/per_channel.tflite")
        let again = try quantized.rewritten { rewrite in
            for (number, subgraph) in quantized.graph.subgraphs.enumerated() {
                for (place, tensor) in subgraph.tensors.enumerated() {
                    rewrite.restateShape(
                        ofTensor: place, inSubgraph: number, as: tensor.shape, signature: tensor.shapeSignature)
                }
            }
        }
        #expect(again.graph.withoutPlaces == quantized.graph.withoutPlaces)
    }

    @Test func copiesAnInputBeforeTheOperator() throws {
        let old = try ModelFile(fixture: "sizes/reshaped.tflite")
        let new = try old.rewritten {
            $0.copyInput(ofOperator: 2, inSubgraph: 0)
            $0.copyInput(ofOperator: 3, inSubgraph: 0)
        }
        try new.checkForLoading()
        let names = new.graph.subgraphs[0].operators.map(\.name)
        let copy = ["RESHAPE", "SHAPE", "MAXIMUM", "SLICE"]
        #expect(names == ["ABS", "MAXIMUM"] + copy + ["RESHAPE"] + copy + ["EXP"])
        let operators = new.graph.subgraphs[0].operators
        for (place, number) in [(6, 2), (11, 3)] {
            #expect(operators[place].inputs.first == operators[place - 1].outputs.first)
            #expect(operators[place - 4].inputs.first == old.graph.subgraphs[0].operators[number].inputs.first)
            #expect(operators[place].inputs.dropFirst() == old.graph.subgraphs[0].operators[number].inputs.dropFirst())
            #expect(operators[place].outputs == old.graph.subgraphs[0].operators[number].outputs)
        }
    }

    @Test func keepsTheOptionsOfAnOperatorWhoseInputItCopies() throws {
        let old = try ModelFile(fixture: "models/where.tflite")
        let first = try SourceTables(old.bytes).operation(0, inSubgraph: 0)
        let new = try old.rewritten { $0.copyInput(ofOperator: 0, inSubgraph: 0) }
        let place = new.graph.subgraphs[0].operators.firstIndex { $0.name == old.graph.subgraphs[0].operators[0].name }
        let again = try SourceTables(new.bytes).operation(#require(place), inSubgraph: 0)
        let kinds: (UInt8, UInt8) = (try first.integer(3), try again.integer(3))
        #expect(kinds.0 == kinds.1 && kinds.0 != 0)
        #expect(try again.target(4) != nil)
    }

    @Test func passesBitsAsAnotherType() throws {
        let old = try ModelFile(fixture: "sizes/variable.tflite")
        let new = try old.rewritten {
            $0.reinterpretInput(1, ofOperator: 1, inSubgraph: 0, as: .int32)
            $0.reinterpretOutput(0, ofOperator: 2, inSubgraph: 0, as: .int32)
        }
        try new.checkForLoading()
        let operators = new.graph.subgraphs[0].operators
        let tensors = new.graph.subgraphs[0].tensors
        #expect(
            operators.map(\.name) == ["VAR_HANDLE", "BITCAST", "ASSIGN_VARIABLE", "READ_VARIABLE", "BITCAST", "ADD"])
        #expect(operators[1].inputs == [0] && operators[1].outputs == [operators[2].inputs[1]])
        #expect(operators[3].outputs == operators[4].inputs && operators[4].outputs == [operators[5].inputs[0]])
        let stored = [operators[1].outputs[0], operators[3].outputs[0]].map { tensors[$0] }
        #expect(stored.map(\.type) == [.int32, .int32])
        #expect(stored.map(\.shape) == [[2, 3], []])
    }

    @Test func copiesOnlyElementsOfWholeBytes() throws {
        var model = TestModel()
        model.subgraphs[0].tensors[0].type = .string
        let old = try model.file()
        let error = #expect(throws: ModelFileError.self) {
            try old.rewritten { $0.copyInput(ofOperator: 0, inSubgraph: 0) }
        }
        #expect(error?.code == .unsupported)
    }

    @Test func limitsTheCopies() throws {
        let old = try TestModel().file()
        let error = #expect(throws: ModelFileError.self) {
            try old.rewritten { rewrite in
                for _ in 0...1000 { rewrite.copyInput(ofOperator: 0, inSubgraph: 0) }
            }
        }
        #expect(error?.code == .tooLarge)
    }

    @Test func eachReplacementHasACodeOfItsOwn() throws {
        var model = TestModel()
        model.subgraphs.append(model.subgraphs[0])
        let new = try model.file().rewritten {
            $0.replaceOperator(0, inSubgraph: 1, withCustom: "B", inputs: [0])
            $0.divertOutput(0, ofSubgraph: 1, toCustom: "Sink")
            $0.replaceOperator(0, inSubgraph: 0, withCustom: "A", inputs: [0])
        }
        try new.checkForLoading()
        let operators = new.graph.subgraphs.map(\.operators)
        #expect(operators[0].map(\.name) == ["A"])
        #expect([operators[1].first?.name, operators[1].last?.name] == ["B", "Sink"])
        let codes = operators.joined().map(\.codeIndex)
        #expect(Set(codes).count == codes.count)
    }

    // MARK: Faults

    @Test(
        arguments: [
            .divertOutput(1, subgraph: 0, code: "Sink"), .divertOutput(-1, subgraph: 0, code: "Sink"),
            .divertOutput(0, subgraph: 1, code: "Sink"),
            .clearVariable(2, subgraph: 0), .clearVariable(.max, subgraph: 0), .clearVariable(0, subgraph: -1),
            .restateShape(2, subgraph: 0, shape: [], signature: nil),
            .restateShape(0, subgraph: 1, shape: [], signature: nil),
            .reinterpretInput(1, operator: 0, subgraph: 0, type: .int32),
            .reinterpretInput(0, operator: 1, subgraph: 0, type: .int32),
            .reinterpretOutput(-1, operator: 0, subgraph: 0, type: .int32),
            .copyInput(1, subgraph: 0), .copyInput(-1, subgraph: 0), .copyInput(0, subgraph: .max),
            .replaceOperator(1, subgraph: 0, code: "Mine", inputs: []),
            .replaceOperator(0, subgraph: .min, code: "Mine", inputs: []),
            .replaceOperator(0, subgraph: 0, code: "Mine", inputs: [-1]),
            .replaceOperator(0, subgraph: 0, code: "Mine", inputs: [.max]),
            .setSignatures([.init(key: "k", subgraph: -1, inputs: [], outputs: [])]),
            .setSignatures([.init(key: "k", subgraph: 0, inputs: [.init(name: "n", tensor: 2)], outputs: [])]),
            .setSignatures([.init(key: "k", subgraph: 0, inputs: [], outputs: [.init(name: "n", tensor: .min)])]),
        ] as [ModelRewrite.Change])
    func refusesWhatTheModelDoesNotHave(change: ModelRewrite.Change) throws {
        var plan = RewritePlan(try TestModel().file().graph, bufferCount: 3, codeCount: 1)
        let error = #expect(throws: ModelFileError.self) { try plan.apply(change) }
        #expect(error?.code == .invalidRewrite)
        #expect(error?.message.contains("\n") == false)
    }
}

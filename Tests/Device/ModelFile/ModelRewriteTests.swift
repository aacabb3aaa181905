import Foundation
import HearthTestSupport
import Testing

@testable import HearthModelFile

/// A rewritten model says what the old one said, but for the changes.
@Suite struct ModelRewriteTests {
    private func rewritten(
        _ model: ModelFile, _ change: (inout ModelRewrite) -> Void
    ) throws -> ModelFile {
        var rewrite = ModelRewrite(model)
        change(&rewrite)
        return try rewrite.modelFile()
    }

    private func bytes(_ file: ModelFile, _ range: Range<Int>?) -> [UInt8]? {
        range.map { range in file.bytes.withUnsafeBytes { [UInt8]($0[range]) } }
    }

    /// The graph with all places in the file taken out, which a rewrite moves.
    private func withoutPlaces(_ graph: ModelGraph) -> ModelGraph {
        var graph = graph
        for subgraph in graph.subgraphs.indices {
            for tensor in graph.subgraphs[subgraph].tensors.indices {
                graph.subgraphs[subgraph].tensors[tensor].data = nil
            }
            for node in graph.subgraphs[subgraph].operators.indices {
                graph.subgraphs[subgraph].operators[node].customOptions = nil
            }
        }
        for entry in graph.metadata.indices { graph.metadata[entry].data = nil }
        return graph
    }

    private static let fixtures: [String] = ["models", "rewrite"].flatMap { folder in
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: TestPaths.fixtures.appendingPathComponent(folder).path)
        return (names ?? []).filter { $0.hasSuffix(".tflite") }.map { folder + "/" + $0 }
    }

    private func fixture(_ name: String) throws -> ModelFile {
        try ModelFile(contentsOfFile: TestPaths.fixtures.appendingPathComponent(name).path)
    }

    // MARK: The whole file

    @Test(arguments: fixtures) func keepsAllThatIsNotChanged(name: String) throws {
        let old = try fixture(name)
        let new = try rewritten(old) { _ in }
        #expect(withoutPlaces(new.graph) == withoutPlaces(old.graph))
        for (oldSubgraph, newSubgraph) in zip(old.graph.subgraphs, new.graph.subgraphs) {
            for (before, after) in zip(oldSubgraph.tensors, newSubgraph.tensors) {
                #expect(bytes(new, after.data) == bytes(old, before.data))
            }
        }
        try new.checkForLoading()
    }

    @Test(arguments: fixtures) func expandsEveryOutput(name: String) throws {
        let old = try fixture(name)
        let count = old.graph.subgraphs[0].outputs.count
        let new = try rewritten(old) {
            for output in 0..<count { $0.divertOutput(output, ofSubgraph: 0, toCustom: "Sink") }
        }
        try new.checkForLoading()
        let before = old.graph.subgraphs[0].outputTensors
        let after = new.graph.subgraphs[0].outputTensors
        #expect(after.map(\.shape) == before.map { [1] + $0.shape })
        #expect(after.map(\.type) == before.map(\.type))
        #expect(after.map(\.quantization) == before.map(\.quantization))
        #expect(after.allSatisfy { $0.data == nil })
        #expect(new.graph.subgraphs[0].inputs == old.graph.subgraphs[0].inputs)
        #expect(new.graph.subgraphs.dropFirst().map(\.name) == old.graph.subgraphs.dropFirst().map(\.name))
    }

    @Test func theOldFileFollowsAtAMultipleOf64() throws {
        let old = try fixture("models/where.tflite")
        let new = try rewritten(old) { $0.divertOutput(0, ofSubgraph: 0, toCustom: "Sink") }
        let shift = new.bytes.count - old.bytes.count
        #expect(shift > 0 && shift.isMultiple(of: 64))
        #expect(bytes(new, shift..<new.bytes.count) == bytes(old, 0..<old.bytes.count))
    }

    @Test func keepsMetadataAndDescription() throws {
        var model = TestModel()
        model.metadata = [("TFLITE_METADATA", TestMetadata.block()), ("other", [1, 2])]
        let old = try model.file()
        let new = try rewritten(old) { $0.divertOutput(0, ofSubgraph: 0, toCustom: "Sink") }
        #expect(try ModelMetadata(of: new) == ModelMetadata(of: old))
        #expect(new.graph.metadataNames == ["TFLITE_METADATA", "other"])
        #expect(bytes(new, new.graph.metadata[1].data) == [1, 2])
        #expect(try SourceTables(new.bytes).model.string(3, "description") == "made by a test")
    }

    @Test func constantsBehindTheFlatbufferMoveAlong() throws {
        let old = try fixture("rewrite/far_constants.tflite")
        let new = try rewritten(old) { $0.divertOutput(0, ofSubgraph: 0, toCustom: "Sink") }
        let constants = old.graph.subgraphs[0].tensors.filter { $0.data?.isEmpty == false }
        #expect(constants.count == 2)
        for (before, after) in zip(old.graph.subgraphs[0].tensors, new.graph.subgraphs[0].tensors) {
            #expect(bytes(new, after.data) == bytes(old, before.data))
        }
    }

    @Test func largeOptionsMoveAlong() throws {
        var model = TestModel()
        model.subgraphs[0].nodes[0].largeOptions = (offset: 16, size: 8)
        let old = try model.file()
        let new = try rewritten(old) { _ in }
        let expected = UInt64(16 + new.bytes.count - old.bytes.count)
        #expect(Set(try SourceTables(new.bytes).absoluteOffsets().values) == [expected])

        let count = UInt64(old.bytes.count)
        for (offset, size) in [(count, 1), (count + 1, 0), (2, .max), (.max, 2)] as [(UInt64, UInt64)] {
            model.subgraphs[0].nodes[0].largeOptions = (offset, size)
            let damaged = try model.file()
            let error = #expect(throws: ModelFileError.self) { try rewritten(damaged) { _ in } }
            #expect(error?.code == .malformed)
        }
        // Up to the very last byte is inside.
        model.subgraphs[0].nodes[0].largeOptions = (count - 1, 1)
        let lastByte = try model.file()
        #expect(throws: Never.self) { try rewritten(lastByte) { _ in } }
    }

    // MARK: Outputs

    @Test func appendsOneOperatorForEachOutput() throws {
        let old = try fixture("rewrite/top_k.tflite")
        let new = try rewritten(old) {
            $0.divertOutput(1, ofSubgraph: 0, toCustom: "Sink")
            $0.divertOutput(0, ofSubgraph: 0, toCustom: "Sink")
        }
        let subgraph = new.graph.subgraphs[0]
        let before = old.graph.subgraphs[0]
        #expect(Array(subgraph.operators.prefix(1)) == before.operators)
        let added = subgraph.operators.dropFirst(1)
        #expect(added.map(\.name) == ["EXPAND_DIMS", "EXPAND_DIMS"])
        #expect(added.map { $0.inputs[0] } == before.outputs.reversed())
        #expect(added.flatMap(\.outputs) == subgraph.outputs.reversed())
        #expect(Set(added.map { $0.inputs[1] }).count == 1)
        let axis = try #require(added.first?.inputs[1])
        #expect(bytes(new, subgraph.tensors[axis].data) == [0, 0, 0, 0])
        #expect(subgraph.tensors[axis].type == .int32)
        #expect(subgraph.tensors[axis].shape == [1])
        #expect(subgraph.outputTensors.map(\.shapeSignature) == [[1, -1], [1, -1]])
        let names = subgraph.tensors.compactMap(\.name)
        #expect(Set(names).count == subgraph.tensors.count && !names.contains(""))
    }

    @Test func newNamesAvoidThoseOfTheFile() throws {
        var model = TestModel()
        model.subgraphs[0].tensors[0].name = "expanded output 0\0x"
        model.subgraphs[0].tensors[1].name = "expanded axis 0"
        let new = try rewritten(try model.file()) { $0.divertOutput(0, ofSubgraph: 0, toCustom: "Sink") }
        let names = new.graph.subgraphs[0].tensors.map(\.name)
        #expect(names.suffix(2) == ["expanded axis 1", "expanded output 1"])
    }

    @Test func scalesForEachChannelMoveOneDimensionOn() throws {
        var model = TestModel()
        model.subgraphs[0].tensors[1] = TestModel.Tensor(
            name: "y", shape: [2, 3], type: .int8, scales: [0.5, 0.25, 2], zeroPoints: [0, -1, 1], dimension: 1)
        let new = try rewritten(try model.file()) { $0.divertOutput(0, ofSubgraph: 0, toCustom: "Sink") }
        let expected = ModelGraph.Quantization(
            scales: [0.5, 0.25, 2], zeroPoints: [0, -1, 1], dimension: 2, detailsKind: 0)
        #expect(new.graph.subgraphs[0].outputTensors[0].quantization == expected)

        model.subgraphs[0].tensors[1].dimension = .max
        let absurd = try model.file()
        let error = #expect(throws: ModelFileError.self) {
            try rewritten(absurd) { $0.divertOutput(0, ofSubgraph: 0, toCustom: "Sink") }
        }
        #expect(error?.code == .malformed)
    }

    @Test func anEmptyShapeSignatureIsNoSignature() throws {
        var model = TestModel()
        model.subgraphs[0].tensors[1].shapeSignature = []
        let new = try rewritten(try model.file()) { $0.divertOutput(0, ofSubgraph: 0, toCustom: "Sink") }
        #expect(new.graph.subgraphs[0].outputTensors[0].shapeSignature == nil)
        try new.checkForLoading()
    }

    @Test func expandingTwiceGivesTwoDimensions() throws {
        var model = TestModel()
        model.subgraphs[0].tensors = [.quantized("x"), .quantized("y")]
        let new = try rewritten(try model.file()) {
            $0.divertOutput(0, ofSubgraph: 0, toCustom: "Sink")
            $0.divertOutput(0, ofSubgraph: 0, toCustom: "Sink")
        }
        #expect(new.graph.subgraphs[0].outputTensors.map(\.shape) == [[1, 1, 1, 4]])
        #expect(new.graph.subgraphs[0].outputTensors[0].quantization?.zeroPoints == [128])
        try new.checkForLoading()
    }

    @Test func refusesANinthDimension() throws {
        var model = TestModel()
        model.subgraphs[0].tensors[1].shape = [1, 1, 1, 1, 1, 1, 1]
        let seven = try model.file()
        #expect(throws: Never.self) {
            try rewritten(seven) { $0.divertOutput(0, ofSubgraph: 0, toCustom: "Sink") }.checkForLoading()
        }
        model.subgraphs[0].tensors[1].shape.append(1)
        let eight = try model.file()
        let error = #expect(throws: ModelFileError.self) {
            try rewritten(eight) { $0.divertOutput(0, ofSubgraph: 0, toCustom: "Sink") }
        }
        #expect(error?.code == .unsupported)
    }

    @Test func expandsAtMostAThousandOutputs() throws {
        var model = TestModel()
        model.subgraphs[0].outputs = Array(repeating: 1, count: 1001)
        let file = try model.file()
        let new = try rewritten(file) {
            for output in 0..<1000 { $0.divertOutput(output, ofSubgraph: 0, toCustom: "Sink") }
        }
        #expect(Set(new.graph.subgraphs[0].outputs).count == 1001)
        let error = #expect(throws: ModelFileError.self) {
            try rewritten(file) { for output in 0...1000 { $0.divertOutput(output, ofSubgraph: 0, toCustom: "Sink") } }
        }
        #expect(error?.code == .tooLarge)
    }

    // MARK: Signatures

    @Test func signaturesFollowTheirOutputs() throws {
        let old = try fixture("rewrite/signatures.tflite")
        for order in [[0], [1], [0, 1], [1, 0]] {
            let new = try rewritten(old) {
                for output in order { $0.divertOutput(output, ofSubgraph: 1, toCustom: "Sink") }
            }
            try new.checkForLoading()
            #expect(new.signatures.map(\.key) == ["places", "places_twice"])
            #expect(new.signatures[0] == old.signatures[0])
            #expect(new.signatures[1].outputs.map(\.name) == old.signatures[1].outputs.map(\.name))
            #expect(new.signatures[1].outputs.map(\.tensor) == new.graph.subgraphs[1].outputs)
        }
    }

    @Test func signaturesAreReplacedAddedAndRemoved() throws {
        let old = try fixture("models/where.tflite")
        let graph = old.graph.subgraphs[0]
        let signature = ModelGraph.Signature(
            key: "find", subgraph: 0, inputs: [.init(name: "numbers", tensor: graph.inputs[0])],
            outputs: [.init(name: "places", tensor: graph.outputs[0])])
        let named = try rewritten(old) { $0.setSignatures([signature]) }
        #expect(named.signatures == [signature])
        try named.checkForLoading()

        let expanded = try rewritten(old) {
            $0.setSignatures([signature])
            $0.divertOutput(0, ofSubgraph: 0, toCustom: "Sink")
        }
        #expect(
            expanded.signatures[0].outputs == [.init(name: "places", tensor: expanded.graph.subgraphs[0].outputs[0])])
        try expanded.checkForLoading()

        #expect(try rewritten(expanded) { $0.setSignatures([]) }.signatures.isEmpty)
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
        #expect(throws: ModelFileError.self) { try old.checkForLoading() }
        let new = try rewritten(old) {
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

    @Test func eachReplacementHasACodeOfItsOwn() throws {
        var model = TestModel()
        model.subgraphs.append(model.subgraphs[0])
        let new = try rewritten(try model.file()) {
            $0.replaceOperator(0, inSubgraph: 1, withCustom: "B", inputs: [0])
            $0.divertOutput(0, ofSubgraph: 1, toCustom: "Sink")
            $0.replaceOperator(0, inSubgraph: 0, withCustom: "A", inputs: [0])
        }
        try new.checkForLoading()
        let operators = new.graph.subgraphs.map(\.operators)
        #expect(operators.map { $0.map(\.name) } == [["A"], ["B", "EXPAND_DIMS"]])
        #expect(Set(operators.joined().map(\.codeIndex)).count == 3)
    }

    // MARK: Faults

    @Test(
        arguments: [
            .divertOutput(1, subgraph: 0, code: "Sink"), .divertOutput(-1, subgraph: 0, code: "Sink"),
            .divertOutput(0, subgraph: 1, code: "Sink"),
            .clearVariable(2, subgraph: 0), .clearVariable(.max, subgraph: 0), .clearVariable(0, subgraph: -1),
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

    @Test func anOutputThatIsNoTensorIsRefused() throws {
        var model = TestModel()
        model.subgraphs[0].outputs = [1, 2]
        let file = try model.file()
        let error = #expect(throws: ModelFileError.self) {
            try rewritten(file) { $0.divertOutput(1, ofSubgraph: 0, toCustom: "Sink") }
        }
        #expect(error?.code == .invalidRewrite)
    }
}

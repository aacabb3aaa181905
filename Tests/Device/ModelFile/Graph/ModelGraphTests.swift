import Testing

@testable import HearthModelFile

/// What a file says comes out of the parser as it was put in.
@Suite struct ModelGraphTests {
    @Test func readsTensorsOperatorsAndNames() throws {
        var model = TestModel()
        model.subgraphs[0].tensors[0].shapeSignature = [-1, 4]
        model.subgraphs[0].tensors[1] = TestModel.Tensor(
            name: "y", shape: [3, 1], type: .int8, scales: [0.5, 0.25, 2], zeroPoints: [0, -1, 1], dimension: 0)
        model.subgraphs[0].tensors.append(TestModel.Tensor(name: "w", shape: [2], type: .int16, data: [1, 2, 3, 4]))
        model.subgraphs[0].nodes = [
            TestModel.Node(
                code: 32, custom: "Sinh", inputs: [0, -1, 2], outputs: [1], customOptions: [9, 8])
        ]
        let bytes = try ModelBytes(copying: model.bytes())
        let graph = try ModelFile(bytes).graph

        let subgraph = try #require(graph.subgraphs.first)
        #expect(subgraph.name == "main")
        #expect(subgraph.inputs == [0])
        #expect(subgraph.outputs == [1])
        #expect(subgraph.tensors.map(\.name) == ["x", "y", "w"])
        #expect(subgraph.tensors[0].shape == [1, 4])
        #expect(subgraph.tensors[0].shapeSignature == [-1, 4])
        #expect(subgraph.tensors[0].quantization == nil)
        #expect(subgraph.tensors[1].type == .int8)
        let quantization = try #require(subgraph.tensors[1].quantization)
        #expect(quantization.scales == [0.5, 0.25, 2])
        #expect(quantization.zeroPoints == [0, -1, 1])
        let constant = try #require(subgraph.tensors[2].data)
        #expect(bytes.withUnsafeBytes { [UInt8]($0[constant]) } == [1, 2, 3, 4])
        let node = try #require(subgraph.operators.first)
        #expect(node.name == "Sinh")
        #expect(node.builtinCode == 32)
        #expect(node.inputs == [0, -1, 2])
        let options = try #require(node.customOptions)
        #expect(bytes.withUnsafeBytes { [UInt8]($0[options]) } == [9, 8])
    }

    @Test func readsSignaturesAndMetadataNames() throws {
        var model = TestModel()
        model.signatures = [.init(inputs: [("input", 0)], outputs: [("output", 1)])]
        model.metadata = [("min_runtime_version", Array("1.14.0".utf8)), ("other", [])]
        let graph = try model.file().graph
        #expect(graph.signatures.map(\.key) == ["serving_default"])
        #expect(graph.signatures[0].inputs == [.init(name: "input", tensor: 0)])
        #expect(graph.signatures[0].outputs == [.init(name: "output", tensor: 1)])
        #expect(graph.metadataNames == ["min_runtime_version", "other"])
    }

    @Test func listsWhatADeveloperAsksFor() throws {
        var model = TestModel()
        model.signatures = [.init(inputs: [("input", 0)], outputs: [("output", 1)])]
        model.subgraphs[0].tensors += [.init(name: "w", data: [1, 2, 3]), .init(name: "v", data: [4])]
        model.subgraphs[0].inputs = [3, 0]
        var file = try model.file()
        #expect(file.signatures.map(\.key) == ["serving_default"])
        #expect(file.graph.subgraphs[0].inputTensors.map(\.name) == ["v", "x"])
        #expect(file.graph.subgraphs[0].outputTensors.map(\.name) == ["y"])
        #expect(file.graph.subgraphs[0].constantByteCount == 4)

        var shared = file.graph.subgraphs[0]
        shared.tensors.append(shared.tensors[2])
        #expect(shared.constantByteCount == 4)

        model.subgraphs[0].outputs = [1, 9, -1]
        file = try model.file()
        #expect(file.graph.subgraphs[0].outputTensors.map(\.name) == ["y"])
    }

    @Test(arguments: [
        (0, "ADD"), (3, "CONV_2D"), (48, "TOPK_V2"), (109, "WHERE"), (119, "WHILE"), (126, "BATCH_MATMUL"),
        (129, "CALL_ONCE"), (150, "GELU"), (206, "STABLEHLO_COMPOSITE"), (209, "STABLEHLO_CASE"),
    ])
    func namesBuiltinOperators(code: Int32, name: String) throws {
        var model = TestModel()
        model.subgraphs[0].nodes[0].code = code
        #expect(try model.file().graph.subgraphs[0].operators[0].name == name)
    }

    @Test func refusesOtherFormatVersions() throws {
        var model = TestModel()
        model.version = 2
        let error = #expect(throws: ModelFileError.self) { try model.file() }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("version 2") == true)
    }

    @Test func readsNoMoreTablesThanTheBudget() throws {
        // model, operator code, 3 buffers, subgraph, 2 tensors, operator
        let bytes = try ModelBytes(copying: TestModel().bytes())
        #expect(throws: Never.self) { try ModelGraphParser.parse(bytes, budget: ReadingBudget(tables: 9)) }
        let error = #expect(throws: ModelFileError.self) {
            try ModelGraphParser.parse(bytes, budget: ReadingBudget(tables: 8))
        }
        #expect(error?.code == .tooLarge)
    }

    @Test func copiesNoMoreBytesThanTheBudget() throws {
        // Names x, y, main and the empty custom name; two shapes, four lists of one index.
        let needed = 6 + 16 + 16
        let bytes = try ModelBytes(copying: TestModel().bytes())
        #expect(throws: Never.self) { try ModelGraphParser.parse(bytes, budget: ReadingBudget(bytes: needed)) }
        let error = #expect(throws: ModelFileError.self) {
            try ModelGraphParser.parse(bytes, budget: ReadingBudget(bytes: needed - 1))
        }
        #expect(error?.code == .tooLarge)
    }
}

/// A file that is no model is often something else that people know.
@Suite struct ForeignFileTests {
    @Test(arguments: [
        (
            "version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 132\n",
            "it is a Git LFS pointer, which only stands for the file; run 'git lfs pull' in the repository"
        ),
        ("<!DOCTYPE html>\n<html>", "it is a web page or an error message; download the model again"),
        ("\u{FEFF}\r\n<html lang=\"en\">", "it is a web page or an error message; download the model again"),
        ("<?xml version=\"1.0\"?><Error>", "it is a web page or an error message; download the model again"),
        ("PK\u{3}\u{4}....", "it is a zip, as a .task bundle is; unpack it, and use a .tflite file in it"),
        ("<\0\0\0TFL2....", "its bytes 4 to 7 are 'TFL2' instead of TFL3"),
        ("<", "it has only 1 byte; get the model again"),
        ("abc", "it has only 3 bytes; get the model again"),
    ])
    func isNamed(content: String, reason: String) {
        let error = #expect(throws: ModelFileError.self) {
            try ModelFile(ModelBytes(copying: Array(content.utf8)))
        }
        #expect(error?.code == .notAModel)
        #expect(error?.message == "this is not a TensorFlow Lite model: \(reason)")
    }
}

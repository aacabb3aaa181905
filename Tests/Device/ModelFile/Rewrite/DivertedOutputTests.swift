import Testing

@testable import HearthModelFile

/// A diverted output goes as bytes and with its shape to a custom operator; everything else stays.
@Suite struct DivertedOutputTests {
    private static func canDivert(_ tensor: ModelGraph.Tensor) -> Bool {
        tensor.type.bitWidth >= 8 && tensor.shape.count < 8
    }

    // MARK: The whole file

    @Test(arguments: ModelFile.fixtureNames) func everyOutputOfEverySubgraph(name: String) throws {
        let old = try ModelFile(fixture: name)
        let places = old.graph.subgraphs.indices.flatMap { subgraph in
            old.graph.subgraphs[subgraph].outputs.enumerated()
                .filter { Self.canDivert(old.graph.subgraphs[subgraph].tensors[$0.element]) }
                .map { (subgraph: subgraph, output: $0.offset, tensor: $0.element) }
        }
        let new = try old.rewritten {
            for place in places {
                $0.divertOutput(
                    place.output, ofSubgraph: place.subgraph, toCustom: "Sink\(place.subgraph).\(place.output)")
            }
        }
        for place in places {
            let diversion = try Diversion(new, subgraph: place.subgraph, output: place.output)
            #expect(diversion.source == place.tensor)
            #expect(diversion.code == "Sink\(place.subgraph).\(place.output)")
        }
        expectKept(old, in: new)
    }

    /// The old file's tensors, operators, constants and metadata come first in each list of the new one.
    private func expectKept(_ old: ModelFile, in new: ModelFile) {
        let (before, after) = (old.graph.withoutPlaces, new.graph.withoutPlaces)
        #expect(after.metadata == before.metadata)
        #expect(after.subgraphs.count == before.subgraphs.count)
        for (subgraph, kept) in before.subgraphs.enumerated() {
            let grown = after.subgraphs[subgraph]
            #expect(grown.name == kept.name && grown.inputs == kept.inputs && grown.outputs.count == kept.outputs.count)
            #expect(Array(grown.tensors.prefix(kept.tensors.count)) == kept.tensors)
            #expect(Array(grown.operators.prefix(kept.operators.count)) == kept.operators)
            #expect(
                new.graph.subgraphs[subgraph].tensors.prefix(kept.tensors.count).map { new.content($0.data) }
                    == old.graph.subgraphs[subgraph].tensors.map { old.content($0.data) })
        }
    }

    /// A main subgraph that no other one runs passes the check before loading with all its outputs diverted.
    @Test(arguments: ModelFile.fixtureNames) func theNewModelMayBeLoaded(name: String) throws {
        let old = try ModelFile(fixture: name)
        let main = old.graph.subgraphs[0]
        let new = try old.diverting(main.outputs.indices.filter { Self.canDivert(main.tensors[main.outputs[$0]]) })
        try new.checkForLoading()
        #expect(new.signatures.map(\.key) == old.signatures.map(\.key))
        for (before, after) in zip(old.signatures, new.signatures) {
            #expect(after.inputs == before.inputs && after.outputs.map(\.name) == before.outputs.map(\.name))
        }
    }

    // MARK: Operators and tensors

    @Test func wideElementsGetALastDimension() throws {
        let old = try ModelFile(fixture: "rewrite/top_k.tflite")
        let new = try old.diverting([1, 0])
        let added = new.graph.subgraphs[0].operators.dropFirst(old.graph.subgraphs[0].operators.count)
        let one = ["BITCAST", "RESHAPE", "CONCATENATION", "SHAPE", "MAXIMUM", "Sink"]
        #expect(added.map(\.name) == one + one)
        for output in 0...1 {
            let diversion = try Diversion(new, subgraph: 0, output: output)
            #expect(diversion.source == old.graph.subgraphs[0].outputs[output])
            #expect(diversion.bytes.shape == [1, 4])
            #expect(diversion.rank == 2)
        }
    }

    @Test func singleBytesGetAFirstDimension() throws {
        let old = try ModelFile(fixture: "rewrite/tile.tflite")
        let new = try old.diverting([0])
        let added = new.graph.subgraphs[0].operators.dropFirst(old.graph.subgraphs[0].operators.count)
        #expect(
            added.map(\.name) == ["BITCAST", "EXPAND_DIMS", "RESHAPE", "CONCATENATION", "SHAPE", "MAXIMUM", "Sink"])
        let diversion = try Diversion(new, subgraph: 0, output: 0)
        #expect(diversion.bytes.shape == [1, 1, 2])
        #expect(diversion.bytes.quantization == nil)
        #expect(diversion.rank == 3)
    }

    @Test(arguments: [.float64, .complex64, .int64, .uint64] as [ElementType])
    func eightBytes(type: ElementType) throws {
        try expectShape([2, 3, 8], ofBytesOf: type, shape: [2, 3])
    }

    @Test(arguments: [.uint8, .int8, .bool, .float8E4M3FN, .float8E5M2] as [ElementType])
    func oneByte(type: ElementType) throws {
        try expectShape([1, 2, 3], ofBytesOf: type, shape: [2, 3])
        try expectShape([1], ofBytesOf: type, shape: [])
    }

    @Test func otherWidths() throws {
        try expectShape([2], ofBytesOf: .float16, shape: [])
        try expectShape([0, 2], ofBytesOf: .int16, shape: [0])
        try expectShape([4], ofBytesOf: .uint32, shape: [])
        try expectShape([5, 16], ofBytesOf: .complex128, shape: [5])
    }

    private func expectShape(_ bytes: [Int], ofBytesOf type: ElementType, shape: [Int32]) throws {
        var model = TestModel()
        model.subgraphs[0].tensors[1].type = type
        model.subgraphs[0].tensors[1].shape = shape
        // Gives any type.
        model.subgraphs[0].nodes[0].code = 53
        let new = try model.file().diverting([0])
        #expect(try Diversion(new, subgraph: 0, output: 0).bytes.shape == bytes)
        try new.checkForLoading()
    }

    @Test func newOperatorsShareCodesAndConstantsButNotBetweenSubgraphs() throws {
        var model = TestModel()
        model.subgraphs[0].tensors = [.quantized("x"), .quantized("y")]
        model.subgraphs[0].outputs = [1, 1]
        model.subgraphs.append(model.subgraphs[0])
        let old = try model.file()
        let new = try old.rewritten {
            for subgraph in 0...1 {
                for output in 0...1 { $0.divertOutput(output, ofSubgraph: subgraph, toCustom: "Sink") }
            }
        }
        let added = new.graph.subgraphs.map { $0.tensors.dropFirst(2) }
        for tensors in added {
            // One axis, one row, one zero.
            let constants = tensors.filter { $0.data != nil }
            #expect(constants.compactMap { new.content($0.data) } == [[0, 0, 0, 0], [255, 255, 255, 255], [0]])
            #expect(constants.allSatisfy { $0.data?.lowerBound.isMultiple(of: 16) == true })
            #expect(Set(tensors.compactMap(\.name)).count == tensors.count)
            #expect(
                tensors.allSatisfy { !$0.isVariable && $0.quantization == nil && ($0.data == nil) == ($0.buffer == 0) })
        }
        let buffers = added.joined().map(\.buffer).filter { $0 != 0 }
        let (oldCount, newCount) = (
            try SourceTables(old.bytes).buffers.count, try SourceTables(new.bytes).buffers.count
        )
        #expect(buffers.sorted() == Array(oldCount..<newCount))
        // Six builtin operators and four of our own.
        #expect(try SourceTables(new.bytes).codes.count == SourceTables(old.bytes).codes.count + 10)
        try new.checkForLoading()
    }

    /// SHAPE has to say that it counts in int32; the others do with their defaults.
    @Test func onlyShapeHasOptions() throws {
        let new = try ModelFile(fixture: "rewrite/tile.tflite").diverting([0])
        let tables = try SourceTables(new.bytes).model.tables(2, "subgraph")[0].tables(3, "operator")
        for (node, table) in zip(new.graph.subgraphs[0].operators, tables).dropFirst() {
            let options = try table.table(4, "options")
            #expect(try table.integer(3) == UInt8(node.name == "SHAPE" ? 55 : 0))
            #expect((options != nil) == (node.name == "SHAPE"))
            if let options { #expect(try options.integer(0) == ElementType.int32.rawValue) }
        }
    }

    @Test func newNamesAvoidThoseOfTheFile() throws {
        var model = TestModel()
        model.subgraphs[0].tensors[0].name = "added bytes 0\0x"
        model.subgraphs[0].tensors[1].name = "added bytes 1"
        let names = try model.file().diverting([0]).graph.subgraphs[0].tensors.map { $0.name ?? "" }
        #expect(names.dropFirst(2).first == "added bytes 2")
        #expect(Set(names).count == names.count)
    }

    @Test func anEmptyShapeSignatureIsNoRankOfItsOwn() throws {
        var model = TestModel()
        model.subgraphs[0].tensors[1].shapeSignature = []
        let new = try model.file().diverting([0])
        #expect(try Diversion(new, subgraph: 0, output: 0).bytes.shape == [1, 4, 4])
        try new.checkForLoading()
    }

    @Test func anOutputThatIsAnInputOrAConstant() throws {
        var model = TestModel()
        model.subgraphs[0].outputs = [0]
        let input = try model.file().diverting([0])
        #expect(try Diversion(input, subgraph: 0, output: 0).source == 0)
        try input.checkForLoading()

        model = TestModel()
        model.subgraphs[0].tensors[1].data = [UInt8](repeating: 0, count: 16)
        model.subgraphs[0].nodes = []
        let constant = try model.file().diverting([0])
        #expect(try Diversion(constant, subgraph: 0, output: 0).source == 1)
        try constant.checkForLoading()
    }

    @Test func divertingAPlaceAgainDivertsTheMarker() throws {
        let once = try TestModel().file().diverting([0])
        let twice = try TestModel().file().diverting([0, 0])
        #expect(try Diversion(twice, subgraph: 0, output: 0).source == once.graph.subgraphs[0].outputs[0])
        try twice.checkForLoading()
    }

    // MARK: Signatures

    @Test(arguments: [[0], [1], [0, 1], [1, 0]])
    func signaturesFollowAnOutputThatIsListedTwice(order: [Int]) throws {
        let old = try ModelFile(fixture: "rewrite/signatures.tflite")
        let new = try old.diverting(order, ofSubgraph: 1)
        try new.checkForLoading()
        #expect(new.signatures.map(\.key) == ["places", "places_twice"])
        #expect(new.signatures[0] == old.signatures[0])
        #expect(new.signatures[1].inputs == old.signatures[1].inputs)
        #expect(new.signatures[1].outputs.map(\.name) == ["second", "first"])
        #expect(new.signatures[1].outputs.map(\.tensor) == new.graph.subgraphs[1].outputs)
        for output in [0, 1] where !order.contains(output) {
            #expect(new.graph.subgraphs[1].outputs[output] == old.graph.subgraphs[1].outputs[output])
        }
        #expect(Set(new.graph.subgraphs[1].outputs).count == 2)
    }

    @Test(arguments: [[0, 1], [1, 0]])
    func signaturesFollowInAnyOrderOfTheirNames(names: [Int]) throws {
        var model = TestModel()
        model.subgraphs[0].outputs = [1, 0]
        let outputs: [(name: String?, tensor: UInt32)] = [("y", 1), ("x", 0)]
        model.signatures = [.init(inputs: [("in", 0)], outputs: names.map { outputs[$0] })]
        let old = try model.file()
        for order in [[0], [1], [0, 1], [1, 0]] {
            let new = try old.diverting(order)
            try new.checkForLoading()
            let tensors = Dictionary(uniqueKeysWithValues: new.signatures[0].outputs.map { ($0.name, $0.tensor) })
            #expect([tensors["y"], tensors["x"]] == new.graph.subgraphs[0].outputs)
            #expect(new.signatures[0].outputs.map(\.name) == old.signatures[0].outputs.map(\.name))
        }
    }

    /// Two signatures may run the same subgraph, and another may use the same number for another tensor.
    @Test func allSignaturesOfTheSubgraphFollow() throws {
        var model = TestModel()
        model.subgraphs.append(model.subgraphs[0])
        model.signatures = ["a", "b", "c"].map {
            .init(key: $0, subgraph: $0 == "c" ? 1 : 0, inputs: [("in", 0)], outputs: [("out", 1)])
        }
        let new = try model.file().diverting([0])
        let marker = try #require(new.graph.subgraphs[0].outputs.first)
        #expect(new.signatures.map { $0.outputs.map(\.tensor) } == [[marker], [marker], [1]])
        try new.checkForLoading()
    }
}

/// What cannot be diverted is refused in words, before anything is written.
@Suite struct UndivertibleOutputTests {
    private func unsupported(_ model: TestModel, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let error = #expect(throws: ModelFileError.self, sourceLocation: sourceLocation) {
            try model.file().diverting([0])
        }
        #expect(error?.code == .unsupported, sourceLocation: sourceLocation)
        #expect(error?.message.contains(text) == true, "\(error?.message ?? "")", sourceLocation: sourceLocation)
    }

    @Test func eightDimensionsAreUnsupported() throws {
        var model = TestModel()
        model.subgraphs[0].tensors[1].shape = [1, 1, 1, 1, 1, 1, 1]
        try model.file().diverting([0]).checkForLoading()
        model.subgraphs[0].tensors[1].shape.append(1)
        unsupported(model, "tensor 1 'y' of subgraph 0 cannot be diverted: it has 8 dimensions")
    }

    @Test(arguments: [.string, .resource, .variant, .int4, .int2, .uint4, ElementType(rawValue: 200)] as [ElementType])
    func elementsWithoutWholeBytesAreUnsupported(type: ElementType) {
        var model = TestModel()
        model.subgraphs[0].tensors[1].type = type
        unsupported(model, "tensor 1 'y' of subgraph 0 cannot be diverted: its elements of type \(type)")
    }

    @Test func aThousandOutputsAreTheMost() throws {
        var model = TestModel()
        model.subgraphs[0].outputs = Array(repeating: 1, count: 1001)
        let file = try model.file()
        let new = try file.diverting(Array(0..<1000))
        #expect(Set(new.graph.subgraphs[0].outputs).count == 1001)
        #expect(new.graph.subgraphs[0].outputs.last == 1)
        let error = #expect(throws: ModelFileError.self) { try file.diverting(Array(0...1000)) }
        #expect(error?.code == .tooLarge)
    }

    @Test func anOutputThatIsNoTensorIsRefused() throws {
        var model = TestModel()
        model.subgraphs[0].outputs = [1, 2, -1]
        let file = try model.file()
        for output in [1, 2] {
            let error = #expect(throws: ModelFileError.self) { try file.diverting([output]) }
            #expect(error?.code == .invalidRewrite)
        }
    }
}

import HearthModelFile
import Testing

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

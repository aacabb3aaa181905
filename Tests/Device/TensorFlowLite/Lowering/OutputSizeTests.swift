import Foundation
import HearthModelFile
import Testing

@testable import TensorFlowLite

/// The table of operators against the engine itself.
struct OutputSizeTests {
    /// The fixture has a signature for each way in which an operator's size is known before a run or not, with equal
    /// results. Where nothing is lowered, the engine decides: it fails if it does not know the size of an output.
    @Test(arguments: [Interpreter.Options.KernelMode.xnnPack, .builtIn])
    func agreesWithTheEngine(kernelMode: Interpreter.Options.KernelMode) throws {
        let options = Interpreter.Options.with { $0.kernelMode = kernelMode }
        let model = try SizeFixture.operators.modelFile()
        let lowered = try Interpreter(model: model, options: options)
        let unlowered = try Interpreter(model, trusting: .everythingKnown, options: options)
        var results: [String: [Tensor]] = [:]
        for signature in model.graph.signatures {
            let isKnown = !DataDependentShapes(model.graph.subgraphs[signature.subgraph], .engine).areAny
            let result = try outputs(of: signature, lowered)
            let engineResult = try? outputs(of: signature, unlowered)
            // XNNPACK knows the size of some more, in operators that it takes over. To take it for unknown costs a copy.
            if isKnown || kernelMode == .builtIn { #expect((engineResult != nil) == isKnown, "\(signature.key)") }
            if let engineResult { #expect(engineResult == result, "\(signature.key)") }
            results[signature.key] = result
        }
        // XNNPACK takes over other operators, depending on what is constant, and rounds in another way.
        guard kernelMode == .builtIn else { return }
        for (key, result) in results {
            let operation = key.prefix { $0 != "," }
            guard operation != key, !key.hasSuffix("open") else { continue }
            #expect(result == results[String(operation)], "\(key)")
        }
    }

    @Test func isTestedOperatorByOperator() throws {
        let graph = try SizeFixture.operators.modelFile().graph
        let tested = Set(graph.signatures.map { String($0.key.prefix { $0 != "," }) })
        let sizes = OutputSizes.engine
        // They need scales, sparse constants, state, resources or a subgraph of their own. Other tests run some.
        let untested: Set = [
            "BIDIRECTIONAL_SEQUENCE_LSTM", "BIDIRECTIONAL_SEQUENCE_RNN", "DENSIFY", "DEQUANTIZE", "HASHTABLE_FIND",
            "HASHTABLE_SIZE", "LSTM", "QUANTIZE", "REDUCE_WINDOW", "RNN", "STABLEHLO_REDUCE_WINDOW",
            "STABLEHLO_RNG_BIT_GENERATOR", "STABLEHLO_SCATTER", "SVDF", "UNIDIRECTIONAL_SEQUENCE_LSTM",
            "UNIDIRECTIONAL_SEQUENCE_RNN",
        ]
        let known = sizes.fromShapes.union(sizes.fromConstants.keys)
        #expect(known.subtracting(tested).subtracting(untested).isEmpty)
        #expect(sizes.withoutOpenSizes.isSubset(of: tested))
        #expect(sizes.fromShapes.isDisjoint(with: sizes.fromConstants.keys))
        #expect(tested.subtracting(known) == ["UNIQUE", "EMBEDDING_LOOKUP_SPARSE"])
        for (name, places) in sizes.fromConstants where tested.contains(name) {
            for place in places {
                #expect(graph.signatures.contains { $0.key == "\(name), input \(place) computed" })
            }
        }
    }

    @Test func takesUnknownOperatorsForDataDependent() throws {
        let graph = try ModelFile(ModelBytes(contentsOfFile: Fixture.unknown_custom.path)).graph
        #expect(DataDependentShapes(graph.subgraphs[0], .engine).operatorName(forTensor: 1) == "HearthUnknown")
        // An operator of the engine's under the name of a custom one is another operator.
        let sizes = OutputSizes(
            fromShapes: ["HearthUnknown"], fromConstants: [:], withoutOpenSizes: [], customFromShapes: [],
            customOfStatedShape: [])
        #expect(DataDependentShapes(graph.subgraphs[0], sizes).areAny)
    }

    /// Such an operator may be in a composite, a branch or a loop. Each subgraph is looked at once.
    @Test func findsAnOperatorOfStatedShapeInWhatASubgraphRuns() throws {
        let model = try SizeFixture.composite.modelFile()
        func found(_ graph: ModelGraph) throws -> String? {
            try GraphInterface(graph, lowered: LoweredModel(model), subgraph: 0, ranks: nil).fixedSizeOperator
        }
        var graph = model.graph
        let call = graph.subgraphs[0].operators[0]
        graph.subgraphs[1].operators.append(call)
        #expect(graph.subgraphs(runBy: 0) == [0, 1])
        #expect(try found(graph) == nil)
        let rotation = try SizeFixture.rotation.modelFile().graph.subgraphs[0].operators[0]
        graph.subgraphs[1].operators.append(rotation)
        #expect(try found(graph) == "aeq.hadamard_rotation")
    }

    private func outputs(of signature: ModelGraph.Signature, _ interpreter: Interpreter) throws -> [Tensor] {
        let runner = try interpreter.signatureRunner(with: signature.key)
        try runner.invoke(with: [:])
        return try signature.outputs.map { try runner.output(named: $0.name) }
    }
}

/// What happens where the table is wrong: it says of operators that their size is known before a run, and it is not.
struct OutputShapeCheckTests {
    @Test(arguments: [SizeFixture.segments, .many_segments], [Interpreter.Options.KernelMode.xnnPack, .builtIn])
    func stopsBeforeMemoryIsTooSmall(fixture: SizeFixture, kernelMode: Interpreter.Options.KernelMode) throws {
        let interpreter = try fixture.trusting(.everythingKnown, .with { $0.kernelMode = kernelMode })
        let count = interpreter.sessions.main.inputs[0].shape.dimensions[0]
        try interpreter.copy([Float](repeating: 1, count: count * 8), toInputAt: 0)
        for _ in 0..<2 {
            let error = #expect(throws: InterpreterError.self) { try interpreter.invoke() }
            #expect(!reason(error).isEmpty)
        }
        // The output's memory and what lies behind it.
        let memory = try #require(interpreter.sessions.main.outputs[0].buffer?.memory)
        #expect(memory.capacity == 8 * MemoryLayout<Float>.size)
        let bytes = UnsafeRawBufferPointer(start: memory.start, count: memory.capacity + TensorMemory.padding)
        #expect(bytes.allSatisfy { $0 == 0 })
    }

    @Test func saysWhichOutput() throws {
        let interpreter = try SizeFixture.many_segments.trusting(.everythingKnown)
        let error = #expect(throws: InterpreterError.self) { try interpreter.invoke() }
        #expect(
            reason(error).hasPrefix(
                "Output 0 'y' got the shape [2048, 8] in the run, but its memory was made for [1, 8]."))
        #expect(!interpreter.canceller.hasStopped)
    }

    /// The engine gives such an output memory of its own, and reports success. The shape is the planned one.
    @Test(arguments: [Interpreter.Options.KernelMode.xnnPack, .builtIn])
    func failsWhereTheEngineFillsOtherMemory(kernelMode: Interpreter.Options.KernelMode) throws {
        let interpreter = try SizeFixture.chained_segments.trusting(
            .everythingKnown, .with { $0.kernelMode = kernelMode })
        let error = #expect(throws: InterpreterError.self) { try interpreter.invoke() }
        #expect(reason(error).hasPrefix("The engine found the size of an output only in the run."))
        #expect(throws: InterpreterError.self) { try interpreter.invoke() }
    }

    @Test func watchesSignaturesToo() throws {
        let runner = try SizeFixture.many_segments.trusting(.everythingKnown).signatureRunner(with: "main")
        let error = #expect(throws: InterpreterError.self) { try runner.invoke(with: [:]) }
        #expect(reason(error).contains("[2048, 8]"))
    }

    @Test func holdsAfterAResize() throws {
        let interpreter = try SizeFixture.top_two.trusting(.everythingKnown)
        try interpreter.invoke()
        for count in [2, 1000] {
            try interpreter.resizeInput(at: 0, to: [count, 5])
            try interpreter.allocateTensors()
            let error = #expect(throws: InterpreterError.self) { try interpreter.invoke() }
            #expect(!reason(error).isEmpty)
        }
    }
}

extension OutputSizes {
    /// Nothing is lowered, except what has no fixed size by its type.
    fileprivate static let everythingKnown: OutputSizes = {
        var sizes = OutputSizes.engine
        sizes.fromShapes.formUnion(sizes.fromConstants.keys)
        sizes.fromShapes.formUnion(["UNIQUE", "EMBEDDING_LOOKUP_SPARSE"])
        sizes.withoutOpenSizes = []
        return sizes
    }()
}

extension Interpreter {
    fileprivate convenience init(_ model: ModelFile, trusting sizes: OutputSizes, options: Options) throws {
        self.init(
            sessions: try ModelSessions(model, options: options, sizes: sizes), options: options, delegates: nil)
    }
}

extension SizeFixture {
    fileprivate func trusting(
        _ sizes: OutputSizes, _ options: Interpreter.Options = .init()
    ) throws -> Interpreter {
        let interpreter = try Interpreter(modelFile(), trusting: sizes, options: options)
        try interpreter.allocateTensors()
        return interpreter
    }
}

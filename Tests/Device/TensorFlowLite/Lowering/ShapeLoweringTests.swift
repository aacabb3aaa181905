import Foundation
import HearthModelFile
import HearthTestSupport
import Testing

@testable import TensorFlowLite

/// Operators that the engine by itself gives wrong shapes, or that read or write where they must not.
struct ShapeLoweringTests {
    private static let kernelModes = [Interpreter.Options.KernelMode.xnnPack, .builtIn]

    /// The engine by itself keeps the shapes of the first run.
    @Test(arguments: kernelModes) func reshapesAnewInEachRun(kernelMode: Interpreter.Options.KernelMode) throws {
        let interpreter = try Interpreter(
            model: SizeFixture.reshaped.modelFile(), options: .with { $0.kernelMode = kernelMode })
        try interpreter.allocateTensors()
        let input = (0..<12).map { -Float($0) / 10 }
        try interpreter.copy(input, toInputAt: 0)
        for shape in [[2, 6], [4, 3], [12, 1], [2, 6], [1, 12]] {
            try interpreter.copy(shape.map(Int32.init), toInputAt: 1)
            try interpreter.invoke()
            for output in 0...1 { #expect(try interpreter.output(at: output).shape.dimensions == shape) }
            #expect(try interpreter.output(at: 0).values() == input.map { -$0 })
            let exponentials: [Float] = try interpreter.output(at: 1).values()
            #expect(zip(exponentials, input).allSatisfy { abs($0 - exp(-$1)) < 1e-4 })
        }
    }

    @Test func reshapesWhatAnInputHas() throws {
        let interpreter = try SizeFixture.reshaped_by_shape.allocated()
        for shape in [[2, 6], [3, 1], [200, 7]] {
            try interpreter.resizeInput(at: 0, to: Tensor.Shape(shape))
            try interpreter.allocateTensors()
            let result = try interpreter.run([Float](repeating: 0, count: shape[0] * shape[1]))
            #expect(result == [Float](repeating: 1, count: shape[0] * shape[1]))
            #expect(try interpreter.output(at: 0).shape == [shape[0] * shape[1]])
        }
    }

    /// XNNPACK by itself writes 16 sizes into an array for six.
    @Test(arguments: kernelModes) func keepsListsOfSizesThatAreLongerThanStatedFromXNNPACK(
        kernelMode: Interpreter.Options.KernelMode
    ) throws {
        let interpreter = try Interpreter(
            model: SizeFixture.wrong_rank.modelFile(), options: .with { $0.kernelMode = kernelMode })
        try interpreter.allocateTensors()
        try interpreter.copy([Int32](repeating: 1, count: 16), toInputAt: 0)
        try interpreter.invoke()
        #expect(try interpreter.output(at: 0).values() == [Float(2)])
        #expect(try interpreter.output(at: 0).shape.rank == 16)
    }

    /// The bits of a variable have the dimensions of its numbers, however often it is written and read.
    @Test(arguments: [SizeFixture.counter, .variable, .reshaped_by_shape])
    func leavesOrdinaryModelsToXNNPACK(fixture: SizeFixture) throws {
        let file = try fixture.modelFile()
        #expect(try RankBounds(LoweredModel(file).file).tensorBeyondXNNPACK(of: file.graph) == nil)
    }

    @Test(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
    func leavesRealModelsToXNNPACK() throws {
        var count = 0
        for folder in ["models", "wild"].map(TestPaths.shared.appendingPathComponent) {
            let names = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
            for name in names where name.hasSuffix(".tflite") || name.hasSuffix(".bin") {
                let path = folder.appendingPathComponent(name).path
                // Damaged ones, and those with operators that Hearth does not run.
                guard let file = try? ModelFile(ModelBytes(contentsOfFile: path)), (try? file.checkForLoading()) != nil,
                    let lowered = try? LoweredModel(file)
                else { continue }
                count += 1
                let tensor = RankBounds(lowered.file).tensorBeyondXNNPACK(of: file.graph)
                #expect(tensor == nil, "\(name): \(tensor ?? "")")
            }
        }
        #expect(count >= 56)
    }

    @Test func resizesOfTwoSignaturesAreCountedTogether() throws {
        for isFirst in [true, false] {
            let interpreter = try SizeFixture.kept_sizes.interpreter()
            let (keep, fill) = (
                try interpreter.signatureRunner(with: "keep"), try interpreter.signatureRunner(with: "fill")
            )
            let resizes: [() throws -> Void] = [
                { try keep.resizeInput(named: "sizes", toShape: [4]) },
                { try fill.resizeInput(named: "more", toShape: [4]) },
            ]
            try resizes[isFirst ? 0 : 1]()
            #expect(throws: SignatureRunnerError.self) { try resizes[isFirst ? 1 : 0]() }
        }
    }

    @Test func anInputIsNotResizedToMoreSizesThanXNNPACKHolds() throws {
        let interpreter = try SizeFixture.filled.allocated()
        try interpreter.copy([Int32](repeating: 1, count: 2), toInputAt: 0)
        try interpreter.invoke()
        #expect(try interpreter.output(at: 0).shape == [1, 1])
        try interpreter.resizeInput(at: 0, to: [6])
        // The log says why.
        #expect(throws: InterpreterError.failedToResizeInputTensor(index: 0)) {
            try interpreter.resizeInput(at: 0, to: [7])
        }
        let builtIn = try Interpreter(
            model: SizeFixture.filled.modelFile(), options: .with { $0.kernelMode = .builtIn })
        try builtIn.resizeInput(at: 0, to: [7])
        try builtIn.allocateTensors()
        try builtIn.copy([Int32](repeating: 1, count: 7), toInputAt: 0)
        try builtIn.invoke()
        #expect(try builtIn.output(at: 0).shape.rank == 7)
    }

    /// A copy costs time, and an operator that waits for it keeps those around it out of XNNPACK.
    @Test func copiesOnlyWhatTheDataReshapes() throws {
        func copies(_ fixture: SizeFixture) throws -> Int {
            let model = try LoweredModel(try fixture.modelFile())
            return model.file.graph.subgraphs[0].operators.count { $0.name == "SLICE" }
        }
        #expect(try copies(.reshaped) == 1)
        #expect(try copies(.reshaped_by_shape) == 0)
    }

    /// XNNPACK by itself follows a null pointer in the first; the engine's own kernel reads 64 x 64 numbers of a variable
    /// with 2 x 3 in the second.
    @Test(arguments: [SizeFixture.variable, .smaller_variable], kernelModes)
    func readsAsMuchAsTheVariableHas(fixture: SizeFixture, kernelMode: Interpreter.Options.KernelMode) throws {
        let interpreter = try Interpreter(
            model: fixture.modelFile(), options: .with { $0.kernelMode = kernelMode })
        try interpreter.allocateTensors()
        for factor in [Float(1), -3] {
            let input = (0..<6).map { factor * Float($0) }
            #expect(try interpreter.run(input) == input.map { 2 * $0 })
            #expect(try interpreter.output(at: 0).shape == [2, 3])
        }
        try interpreter.resizeInput(at: 0, to: [400, 3])
        try interpreter.allocateTensors()
        #expect(try interpreter.run([Float](repeating: 2, count: 1200)) == [Float](repeating: 4, count: 1200))
    }

    @Test func readsNoVariableAsAnotherType() throws {
        let interpreter = try SizeFixture.mixed_variable.allocated()
        #expect(throws: InterpreterError.self) { try interpreter.run([Float](repeating: 1, count: 6)) }
    }

    /// The caller states two rows; only the subgraph knows that their number is open.
    @Test func takesTheShapesThatASubgraphStates() throws {
        let interpreter = try SizeFixture.composite.allocated()
        let rows: [Float] = [1, 2, 3, 4, 5, 6, 7, 8]
        try interpreter.copy(rows, toInputAt: 0)
        for count in [2, 4, 1] {
            try interpreter.copy([Int32(count), 2], toInputAt: 1)
            try interpreter.invoke()
            #expect(try interpreter.output(at: 0).shape == [count, 2])
            #expect(try interpreter.output(at: 0).values() == Array(rows.prefix(2 * count)))
        }
    }
}

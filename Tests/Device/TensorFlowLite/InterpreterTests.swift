import Foundation
import HearthModelFile
import HearthTestSupport
import TensorFlowLite
import Testing

/// Runs of whole models; `OriginalBehaviorTests` has what apps of the original library expect of each call.
struct InterpreterTests {
    @Test func runsAnInt8Model() throws {
        let interpreter = try Fixture.add_int8.allocated(resizedTo: [2])
        // Real values 2 and -0.5 at scale 0.5 and zero point -3.
        #expect(try interpreter.run([Int8(1), -4]) == [9, -6])
        let output = try interpreter.output(at: 0)
        #expect(output.dataType == .int8)
        #expect(output.quantizationParameters?.scale == 0.5)
        #expect(output.quantizationParameters?.zeroPoint == -3)
    }

    @Test func keepsTwoInputsApart() throws {
        let interpreter = try Fixture.subtract.allocated()
        try interpreter.copy(Data(elements: [Float(5), 7]), toInputAt: 0)
        try interpreter.copy(Data(elements: [Float(1), 10]), toInputAt: 1)
        try interpreter.invoke()
        #expect(try interpreter.output(at: 0).data.elements(Float.self) == [4, -3])
        #expect(try interpreter.input(at: 1).name == "right")
    }

    @Test func runsFromData() throws {
        let interpreter = try Interpreter(modelData: Data(contentsOf: URL(fileURLWithPath: Fixture.add_batch.path)))
        try interpreter.allocateTensors()
        #expect(try interpreter.run([Float(1), 3]) == [3, 9])
    }

    @Test func readsDataThatIsASlice() throws {
        let file = try Data(contentsOf: URL(fileURLWithPath: Fixture.add_batch.path))
        let interpreter = try Interpreter(modelData: (Data([1, 2, 3]) + file).dropFirst(3))
        try interpreter.allocateTensors()
        let data = (Data([9]) + Data(elements: [Float(1), 3])).dropFirst()
        #expect(try interpreter.copy(data, toInputAt: 0).data == Data(elements: [Float(1), 3]))
    }

    @Test func sharesOneModelFile() throws {
        let model = try ModelFile(ModelBytes(contentsOfFile: Fixture.add_batch.path))
        let interpreters = try (0..<3).map { _ in try Interpreter(model: model) }
        for (index, interpreter) in interpreters.enumerated() {
            try interpreter.allocateTensors()
            #expect(try interpreter.run([Float(index), 1]) == [3 * Float(index), 3])
        }
    }

    @Test func outlivesTheFileItReads() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data(contentsOf: URL(fileURLWithPath: Fixture.add_batch.path)), to: "model.tflite")
        let interpreter = try Interpreter(modelPath: path)
        try Data(repeating: 0xFF, count: 500).write(to: URL(fileURLWithPath: path))
        try interpreter.allocateTensors()
        #expect(try interpreter.run([Float(1), 3]) == [3, 9])
    }

    @Test func runsAgainAndAgain() throws {
        let interpreter = try Fixture.add_batch.allocated()
        for number in 0..<100 {
            #expect(try interpreter.run([Float(number), 1]) == [3 * Float(number), 3])
        }
    }

    @Test func sharesBuffersOfTensorsListedTwice() throws {
        let interpreter = try Fixture.shared_tensors.allocated()
        #expect(try interpreter.run([Float(2), 5]) == [2, 5])
        #expect(try interpreter.output(at: 1).data.elements(Float.self) == [4, 10])
        #expect(try interpreter.output(at: 2).data.elements(Float.self) == [4, 10])
        #expect(try interpreter.run([Float(1), 0]) == [1, 0])
        #expect(try interpreter.output(at: 2).data.elements(Float.self) == [2, 0])
    }
}

/// Calls in the wrong order, wrong indexes and wrong sizes, also of calls that the original library lacks.
struct CallOrderTests {
    @Test func needsAllocationFirst() throws {
        let interpreter = try Fixture.add.interpreter()
        #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.invoke() }
        #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.input(at: 0) }
        #expect(throws: InterpreterError.invokeInterpreterRequired) { try interpreter.output(at: 0) }
        #expect(throws: InterpreterError.allocateTensorsRequired) {
            try interpreter.copy(Data(count: 8 * 8 * 3 * 4), toInputAt: 0)
        }
        #expect(throws: InterpreterError.allocateTensorsRequired) {
            try interpreter.withUnsafeMutableInputBytes(at: 0) { _ in }
        }
        #expect(throws: InterpreterError.invokeInterpreterRequired) {
            try interpreter.withUnsafeOutputBytes(at: 0) { _ in }
        }
    }

    @Test(arguments: [6, 7, 9, 10, 0])
    func refusesAnyOtherByteCount(count: Int) throws {
        let interpreter = try Fixture.add.allocated(resizedTo: [2])
        #expect(throws: InterpreterError.invalidTensorDataCount(provided: count, required: 8)) {
            try interpreter.copy(Data(count: count), toInputAt: 0)
        }
    }

    @Test(arguments: [1, -1, .max, .min])
    func refusesIndexesOutOfRange(index: Int) throws {
        let interpreter = try Fixture.add.interpreter()
        let error = InterpreterError.invalidTensorIndex(index: index, maxIndex: 0)
        #expect(throws: error) { try interpreter.input(at: index) }
        #expect(throws: error) { try interpreter.output(at: index) }
        #expect(throws: error) { try interpreter.copy(Data(), toInputAt: index) }
        #expect(throws: error) { try interpreter.resizeInput(at: index, to: []) }
        #expect(throws: error) { try interpreter.inputDescription(at: index) }
        #expect(throws: error) { try interpreter.outputDescription(at: index) }
        #expect(throws: error) { try interpreter.withUnsafeMutableInputBytes(at: index) { _ in } }
        #expect(throws: error) { try interpreter.withUnsafeOutputBytes(at: index) { _ in } }
    }
}

struct ResizeTests {
    @Test func takesAnyRank() throws {
        let interpreter = try Fixture.add.allocated(resizedTo: [2, 2, 3])
        #expect(try interpreter.input(at: 0).shape == [2, 2, 3])
        #expect(try interpreter.run((0..<12).map(Float.init)) == (0..<12).map { Float($0 * 3) })
        #expect(try interpreter.output(at: 0).shape == [2, 2, 3])
    }

    @Test func growsAndShrinksBetweenRuns() throws {
        let interpreter = try Fixture.add_batch.interpreter()
        for batch in [1, 64, 3, 4096, 2] {
            try interpreter.resizeInput(at: 0, to: [batch, 2])
            #expect(try interpreter.inputDescription(at: 0).shape == [batch, 2])
            try interpreter.allocateTensors()
            #expect(try interpreter.outputDescription(at: 0).shape == [batch, 2])
            let input = (0..<batch * 2).map(Float.init)
            #expect(try interpreter.run(input) == input.map { $0 * 3 })
        }
    }

    /// The engine has a custom operator that writes as much as it reads, and keeps the file's shape for its output.
    @Test func keepsShapesThatTheEngineDoesNotAdapt() throws {
        let interpreter = try SizeFixture.rotation.allocated()
        let rotated = try interpreter.run([Float(1), 0, 0, 0, 0, 0, 0, 2])
        #expect(throws: InterpreterError.failedToResizeInputTensor(index: 0)) {
            try interpreter.resizeInput(at: 0, to: [100_000, 4])
        }
        try interpreter.resizeInput(at: 0, to: [2, 4])
        #expect(try interpreter.run([Float(1), 0, 0, 0, 0, 0, 0, 2]) == rotated)
    }

    @Test func resizesTwiceBeforeAllocating() throws {
        let interpreter = try Fixture.add_batch.allocated()
        try interpreter.invoke()
        try interpreter.resizeInput(at: 0, to: [100, 2])
        try interpreter.resizeInput(at: 0, to: [2, 2])
        try interpreter.allocateTensors()
        #expect(try interpreter.run([Float(1), 2, 3, 4]) == [3, 6, 9, 12])
    }

    @Test func changesNothingForTheSameShape() throws {
        let interpreter = try Fixture.add_batch.allocated()
        try interpreter.resizeInput(at: 0, to: [1, 2])
        #expect(try interpreter.run([Float(1), 3]) == [3, 9])
    }

    @Test(
        arguments: [
            [], [0], [-1], [2, 0], [.max], [.min], [1 << 31], [1 << 29], [.max, .max],
            [1 << 20, 1 << 20, 1 << 20, 1 << 20],
            [1, 1, 1, 1, 1, 1, 1, 1, 1],
        ] as [Tensor.Shape])
    func refusesImpossibleShapes(shape: Tensor.Shape) throws {
        let interpreter = try Fixture.add_batch.allocated()
        #expect(throws: InterpreterError.failedToResizeInputTensor(index: 0)) {
            try interpreter.resizeInput(at: 0, to: shape)
        }
        // As if nothing had been asked.
        #expect(try interpreter.run([Float(1), 3]) == [3, 9])
    }

    @Test func refusesShapesThatDoNotFitTogether() throws {
        let interpreter = try Fixture.subtract.interpreter()
        try interpreter.resizeInput(at: 0, to: [3])
        let error = #expect(throws: InterpreterError.self) { try interpreter.allocateTensors() }
        #expect(error != .failedToAllocateTensors, "the engine gives a reason: \(error as Any)")
        #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.invoke() }
        try interpreter.resizeInput(at: 1, to: [3])
        try interpreter.allocateTensors()
        #expect(try interpreter.run([Float(1), 2, 3]) == [1, 2, 3])
    }

    /// The engine allocates for the batch size of the file and writes past the end of outputs made for that.
    @Test(arguments: [1, 3, 1000, 2])
    func runsFlattenedBatches(batch: Int) throws {
        let interpreter = try Fixture.flatten.interpreter()
        try interpreter.resizeInput(at: 0, to: [batch, 2, 2, 1])
        try interpreter.allocateTensors()
        let numbers = (0..<batch).map { Float($0) }
        let inputs = numbers.flatMap { [$0, $0, $0, $0] }
        let sums = numbers.flatMap { [4 * $0, 40 * $0] }
        for _ in 0..<3 {
            #expect(try interpreter.run(inputs) == sums)
            #expect(try interpreter.output(at: 0).shape == [batch, 2])
        }
    }

    /// Where the engine can bind an output that data sizes, its shape is that of the last run.
    @Test func readsTheShapeThatTheDataAskedFor() throws {
        let interpreter = try Fixture.where_cast.allocated()
        let runs: [(input: [Float], places: [Float])] = [
            ([1, 0, 3, 4], [0, 4, 6]), ([0, 0, 0, 0], []), ([1, 1, 1, 1], [0, 2, 4, 6]), ([0, 1, 0, 0], [2]),
        ]
        for run in runs {
            #expect(try interpreter.run(run.input) == run.places)
            #expect(try interpreter.output(at: 0).shape == [run.places.count, 1])
        }
    }

    @Test(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
    func makesRoomForARealModelThatGrows() throws {
        let path = TestPaths.shared.appendingPathComponent("models/interp/dynamic_shapes.bin").path
        let interpreter = try Interpreter(modelPath: path)
        try interpreter.allocateTensors()
        try interpreter.withUnsafeMutableInputBytes(at: 2) { $0.storeBytes(of: -1, as: Float.self) }
        #expect(try interpreter.outputDescription(at: 0).shape == [8, 1, 1024])
        #expect(throws: InterpreterError.invokeInterpreterRequired) { try interpreter.output(at: 0) }
        try interpreter.invoke()
        let output = try interpreter.output(at: 0)
        #expect(output.shape == [8, 89, 1024])
        #expect(output.data.count == 8 * 89 * 1024 * 4)
    }
}

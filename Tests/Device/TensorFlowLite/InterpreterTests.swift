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

import Foundation
import TensorFlowLite
import Testing

/// `strings.tflite` passes a string tensor through as output 1, beside a float one that it doubles.
struct StringTensorTests {
    /// The last one is longer than the room that an output of strings has at first.
    @Test func passesStringsThrough() throws {
        let interpreter = try Fixture.strings.allocated()
        #expect(try interpreter.inputDescription(at: 1).dataType == .string)
        for text in ["hello", "", "三 – drei", String(repeating: "long ", count: 1_000_000)] {
            let input = try interpreter.copy([text], toInputAt: 1)
            #expect(try input.values(as: String.self) == [text])
            try interpreter.invoke()
            #expect(try interpreter.output(at: 1).values(as: String.self) == [text])
        }
    }

    @Test func beginsWithEmptyStrings() throws {
        let interpreter = try Fixture.strings.allocated()
        #expect(try interpreter.input(at: 1).values(as: String.self) == [""])
        try interpreter.copy([Float(2)], toInputAt: 0)
        try interpreter.invoke()
        #expect(try interpreter.output(at: 0).values(as: Float.self) == [4])
        #expect(try interpreter.output(at: 1).values(as: String.self) == [""])
    }

    @Test func resizesStrings() throws {
        let interpreter = try Fixture.strings.interpreter()
        try interpreter.resizeInput(at: 1, to: [3])
        try interpreter.allocateTensors()
        try interpreter.copy(["a", "bc", ""], toInputAt: 1)
        try interpreter.invoke()
        #expect(try interpreter.output(at: 1).shape == [3])
        #expect(try interpreter.output(at: 1).values(as: String.self) == ["a", "bc", ""])
    }

    @Test func wantsAsManyStringsAsTheShapeSays() throws {
        let interpreter = try Fixture.strings.allocated()
        #expect(throws: InterpreterError.invalidTensorDataCount(provided: 2, required: 1)) {
            try interpreter.copy(["a", "b"], toInputAt: 1)
        }
        #expect(throws: InterpreterError.invalidTensorDataType) { try interpreter.copy([Float(1)], toInputAt: 1) }
        #expect(throws: InterpreterError.invalidTensorDataType) { try interpreter.copy(["1"], toInputAt: 0) }
    }

    /// Offsets that lead outside must not reach the engine, which would follow them.
    @Test(
        arguments: [
            [], [1], [1, 12], [1, 12, 999], [1, 12, -1], [1, 4, 12], [-1, 8], [.max, 12, 12], [1, 13, 12],
        ] as [[Int32]])
    func refusesDamagedStrings(words: [Int32]) throws {
        let interpreter = try Fixture.strings.allocated()
        try interpreter.copy(["kept"], toInputAt: 1)
        #expect(throws: InterpreterError.self) { try interpreter.copy(Data(elements: words), toInputAt: 1) }
        #expect(try interpreter.input(at: 1).values(as: String.self) == ["kept"])
    }

    @Test func doesNotLendTheMemoryOfStringsForWriting() throws {
        let interpreter = try Fixture.strings.allocated()
        #expect(throws: InterpreterError.invalidTensorDataType) {
            try interpreter.withUnsafeMutableInputBytes(at: 1) { _ in }
        }
        #expect(try interpreter.withUnsafeOutputBytes(at: 1) { $0.count } == 12)
    }

    @Test func wantsAllocation() throws {
        let interpreter = try Fixture.strings.interpreter()
        #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.copy(["a"], toInputAt: 1) }
        #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.input(at: 1) }
    }
}

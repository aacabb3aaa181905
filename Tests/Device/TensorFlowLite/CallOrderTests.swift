import Foundation
import TensorFlowLite
import Testing

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

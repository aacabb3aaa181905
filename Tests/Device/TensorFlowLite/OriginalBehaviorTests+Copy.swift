import Foundation
import TensorFlowLite
import Testing

extension OriginalBehaviorTests {
    /// `copy(_:toInputAt:)`, whose errors come in a fixed order.
    struct CopyDeclaration {
        private let floats = Data(elements: [Float(1), 3])

        @Test(arguments: [-1, 1, .min, .max])
        func checksIndexBeforeTypeAndCount(index: Int) throws {
            for interpreter in [try Fixture.add_batch.interpreter(), try OriginalFixture.bfloat16.interpreter()] {
                #expect(throws: InterpreterError.invalidTensorIndex(index: index, maxIndex: 0)) {
                    try interpreter.copy(Data(), toInputAt: index)
                }
            }
        }

        @Test func checksTypeBeforeCount() throws {
            let interpreter = try OriginalFixture.bfloat16.interpreter()
            #expect(throws: InterpreterError.invalidTensorDataType) { try interpreter.copy(Data(), toInputAt: 0) }
            #expect(throws: InterpreterError.invalidTensorDataType) {
                try interpreter.copy(Data(count: 4), toInputAt: 0)
            }
        }

        @Test func checksCountBeforeAllocation() throws {
            let interpreter = try Fixture.add_batch.interpreter()
            #expect(throws: InterpreterError.invalidTensorDataCount(provided: 7, required: 8)) {
                try interpreter.copy(Data(count: 7), toInputAt: 0)
            }
            #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.copy(floats, toInputAt: 0) }
        }

        @Test func returnsTheInputWithItsNewContents() throws {
            let interpreter = try Fixture.add_batch.allocated()
            let tensor = try interpreter.copy(floats, toInputAt: 0)
            #expect(tensor.data == floats)
            #expect(try interpreter.input(at: 0) == tensor)
        }

        /// Compiles only if it may be.
        @Test func resultMayBeIgnored() throws {
            let interpreter = try Fixture.add_batch.allocated()
            try interpreter.copy(floats, toInputAt: 0)
        }

        @Test func leavesTheInputAsItWasWhenItFails() throws {
            let interpreter = try Fixture.add_batch.allocated()
            try interpreter.copy(floats, toInputAt: 0)
            _ = try? interpreter.copy(Data(repeating: 0xFF, count: 9), toInputAt: 0)
            #expect(try interpreter.input(at: 0).data == floats)
        }
    }
}

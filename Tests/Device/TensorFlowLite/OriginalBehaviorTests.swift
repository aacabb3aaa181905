import Foundation
import HearthModelFile
import HearthTestSupport
import TensorFlowLite
import Testing

/// What apps written against the TensorFlow Lite Swift library can observe: each declaration of its `Interpreter` and of
/// its other types, what its own tests expect, and what its users stumbled over. A suite for each, in extensions.
///
/// Where this module knows a better error, the test says so.
@Suite enum OriginalBehaviorTests {}

extension OriginalBehaviorTests {
    /// In the order of the original's declarations.
    struct InterpreterDeclarations {
        private let floats = Data(elements: [Float(1), 3])

        @Test(arguments: ["", "/", "/dev/null", "/nowhere/model.tflite"])
        func initWithModelPathFailsToLoadWhatIsNoModel(path: String) {
            #expect(throws: InterpreterError.failedToLoadModel) { try Interpreter(modelPath: path) }
            #expect(throws: InterpreterError.failedToLoadModel) { try Interpreter(modelPath: Optional(path)) }
        }

        /// The original says `failedToCreateInterpreter` here and keeps the reason to itself.
        @Test func initWithModelPathTellsWhyASoundModelCannotBeBuilt() {
            for path in [Fixture.unknown_custom.path, EngineFixture.future_version.path] {
                #expect(reason(#expect(throws: InterpreterError.self) { try Interpreter(modelPath: path) }) != "")
            }
        }

        @Test func initWithModelDataNeedsTheDataNoLonger() throws {
            let model = try Data(contentsOf: URL(fileURLWithPath: Fixture.add_batch.path))
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: model.count, alignment: 16)
            model.copyBytes(to: memory)
            let start = try #require(memory.baseAddress)
            let borrowed = Data(bytesNoCopy: start, count: memory.count, deallocator: .none)
            let interpreter = try Interpreter(modelData: borrowed)
            memory.initializeMemory(as: UInt8.self, repeating: 0xFF)
            memory.deallocate()
            try interpreter.allocateTensors()
            #expect(try interpreter.run([Float(1), 3]) == [3, 9])
        }

        @Test func initWithModelDataFailsToLoadWhatIsNoModel() {
            for data in [Data(), Data("no model".utf8), Data(count: 1000)] {
                #expect(throws: InterpreterError.failedToLoadModel) { try Interpreter(modelData: data) }
            }
        }

        @Test func optionsAreWhatWasPassedAndNilStaysNil() throws {
            let model = try ModelFile(ModelBytes(contentsOfFile: Fixture.add.path))
            let data = try Data(contentsOf: URL(fileURLWithPath: Fixture.add.path))
            let path = Fixture.add.path
            for options in [nil, Interpreter.Options(), .with { $0.threadCount = -7 }] {
                #expect(try Interpreter(modelPath: path, options: options).options == options)
                #expect(try Interpreter(modelPath: Optional(path), options: options).options == options)
                #expect(try Interpreter(modelData: data, options: options).options == options)
                #expect(try Interpreter(model: model, options: options).options == options)
            }
        }

        /// The original takes any; here there is nothing that could run one.
        @Test func delegatesAreWhatWasPassedAndNilStaysNil() throws {
            let data = try Data(contentsOf: URL(fileURLWithPath: Fixture.add.path))
            for delegates in [nil, []] as [[any Delegate]?] {
                #expect(
                    try Interpreter(modelPath: Fixture.add.path, delegates: delegates).delegates?.count
                        == delegates?.count)
                #expect(try Interpreter(modelData: data, delegates: delegates).delegates?.count == delegates?.count)
            }
        }

        @Test func inputTensorCountAndOutputTensorCount() throws {
            for (interpreter, inputs, outputs) in [
                (try Fixture.subtract.interpreter(), 2, 1), (try Fixture.shared_tensors.interpreter(), 1, 3),
                (try OriginalFixture.no_inputs.interpreter(), 0, 1),
            ] {
                #expect(interpreter.inputTensorCount == inputs)
                #expect(interpreter.outputTensorCount == outputs)
            }
        }

        @Test func signatureKeysIsEmptyWithoutSignatures() throws {
            #expect(try Fixture.add.interpreter().signatureKeys == [])
            #expect(try OriginalFixture.bfloat16.interpreter().signatureKeys == ["cast"])
        }

        @Test func allocateTensorsMayBeRepeated() throws {
            let interpreter = try Fixture.add_batch.allocated()
            for _ in 0..<3 {
                try interpreter.allocateTensors()
                try interpreter.copy(floats, toInputAt: 0)
                try interpreter.allocateTensors()
                try interpreter.invoke()
                try interpreter.allocateTensors()
                #expect(try interpreter.output(at: 0).data == Data(elements: [Float(3), 9]))
            }
        }

        /// The original says `failedToAllocateTensors` here and keeps the reason to itself.
        @Test func allocateTensorsTellsWhyItFails() throws {
            let interpreter = try EngineFixture.unmatched_shapes.interpreter()
            #expect(
                reason(#expect(throws: InterpreterError.self) { try interpreter.allocateTensors() }).contains("ADD"))
            #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.invoke() }
        }

        /// The original says `allocateTensorsRequired` for any failure, which hides the reason.
        @Test func invokeTellsAMissingAllocationFromAFailedRun() throws {
            let interpreter = try Fixture.divide_int32.interpreter()
            #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.invoke() }
            try interpreter.allocateTensors()
            #expect(reason(#expect(throws: InterpreterError.self) { try interpreter.invoke() }).contains("DIV"))
        }

        @Test(arguments: [-1, 1, .min, .max])
        func inputAtChecksIndexBeforeAllocation(index: Int) throws {
            let interpreter = try Fixture.add.interpreter()
            #expect(throws: InterpreterError.invalidTensorIndex(index: index, maxIndex: 0)) {
                try interpreter.input(at: index)
            }
            #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.input(at: 0) }
        }

        @Test func inputAtChecksAllocationBeforeType() throws {
            let interpreter = try OriginalFixture.bfloat16.interpreter()
            #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.input(at: 0) }
            try interpreter.allocateTensors()
            #expect(throws: InterpreterError.invalidTensorDataType) { try interpreter.input(at: 0) }
            #expect(throws: InterpreterError.invalidTensorDataType) { try interpreter.inputDescription(at: 0) }
        }

        @Test(arguments: [-1, 3, .min, .max])
        func outputAtChecksIndexBeforeAllocation(index: Int) throws {
            let interpreter = try Fixture.shared_tensors.interpreter()
            #expect(throws: InterpreterError.invalidTensorIndex(index: index, maxIndex: 2)) {
                try interpreter.output(at: index)
            }
            #expect(throws: InterpreterError.invokeInterpreterRequired) { try interpreter.output(at: 2) }
        }

        @Test func outputAtChecksAllocationBeforeType() throws {
            let interpreter = try OriginalFixture.bfloat16.interpreter()
            #expect(throws: InterpreterError.invokeInterpreterRequired) { try interpreter.output(at: 1) }
            try interpreter.allocateTensors()
            #expect(throws: InterpreterError.invalidTensorDataType) { try interpreter.output(at: 1) }
            #expect(throws: InterpreterError.invalidTensorDataType) { try interpreter.outputDescription(at: 1) }
        }

        @Test func outputAtHasStaleBytesBetweenAllocationAndInvoke() throws {
            let interpreter = try Fixture.add_batch.allocated()
            #expect(try interpreter.output(at: 0).data.count == 8)
            _ = try interpreter.run([Float(1), 3])
            try interpreter.copy(Data(count: 8), toInputAt: 0)
            #expect(try interpreter.output(at: 0).data == Data(elements: [Float(3), 9]))
        }

        @Test(arguments: [-1, 1, .min, .max])
        func resizeInputChecksIndexBeforeShape(index: Int) throws {
            let interpreter = try Fixture.add.interpreter()
            #expect(throws: InterpreterError.invalidTensorIndex(index: index, maxIndex: 0)) {
                try interpreter.resizeInput(at: index, to: [-1])
            }
            #expect(throws: InterpreterError.failedToResizeInputTensor(index: 0)) {
                try interpreter.resizeInput(at: 0, to: [-1])
            }
        }

        @Test func resizeInputNeedsAllocationAfterwards() throws {
            let interpreter = try Fixture.add_batch.allocated()
            _ = try interpreter.run([Float(1), 3])
            try interpreter.resizeInput(at: 0, to: [2, 2])
            #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.invoke() }
            #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.input(at: 0) }
            #expect(throws: InterpreterError.allocateTensorsRequired) {
                try interpreter.copy(Data(count: 16), toInputAt: 0)
            }
            #expect(throws: InterpreterError.invokeInterpreterRequired) { try interpreter.output(at: 0) }
            try interpreter.allocateTensors()
            #expect(try interpreter.run([Float(1), 2, 3, 4]) == [3, 6, 9, 12])
        }
    }
}

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

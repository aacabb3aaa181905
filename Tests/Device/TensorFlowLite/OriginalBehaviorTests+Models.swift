import Foundation
import TensorFlowLite
import Testing

extension OriginalBehaviorTests {
    /// What the original's own tests expect of their models, on models that compute the same.
    struct OwnTests {
        private func floats(_ values: Float...) -> Data { Data(elements: values) }

        @Test func addRunsAfterItsResize() throws {
            let interpreter = try Fixture.add.interpreter()
            #expect(interpreter.inputTensorCount == 1)
            #expect(interpreter.outputTensorCount == 1)
            try interpreter.resizeInput(at: 0, to: [2])
            try interpreter.allocateTensors()
            let input = try interpreter.copy(floats(1, 3), toInputAt: 0)
            #expect(input.name == "input" && input.dataType == .float32 && input.shape == [2])
            try interpreter.invoke()
            let output = try interpreter.output(at: 0)
            #expect(output.name == "output" && output.dataType == .float32 && output.shape == [2])
            #expect(output.data == floats(3, 9))
        }

        @Test func addNamesAnIndexThatItDoesNotHave() throws {
            let interpreter = try Fixture.add.allocated(resizedTo: [2])
            let error = InterpreterError.invalidTensorIndex(index: 1, maxIndex: 0)
            #expect(throws: error) { try interpreter.input(at: 1) }
            #expect(throws: error) { try interpreter.output(at: 1) }
            #expect(throws: error) { try interpreter.copy(floats(1, 3), toInputAt: 1) }
            #expect(throws: error) { try interpreter.resizeInput(at: 1, to: [2]) }
        }

        @Test func addTakesAnotherRank() throws {
            let interpreter = try Fixture.add.interpreter()
            try interpreter.resizeInput(at: 0, to: [2, 2, 3])
            try interpreter.allocateTensors()
            #expect(try interpreter.input(at: 0).shape == [2, 2, 3])
        }

        @Test func addRefusesDataThatIsAByteShort() throws {
            let interpreter = try Fixture.add.allocated(resizedTo: [2])
            #expect(throws: InterpreterError.invalidTensorDataCount(provided: 7, required: 8)) {
                try interpreter.copy(floats(1, 3).dropLast(), toInputAt: 0)
            }
        }

        @Test func quantizedAddHasItsScale() throws {
            let interpreter = try Fixture.add_uint8.allocated(resizedTo: [2])
            #expect(try interpreter.run([UInt8(1), 3]) == [3, 9])
            for tensor in [try interpreter.input(at: 0), try interpreter.output(at: 0)] {
                #expect(tensor.dataType == .uInt8)
                #expect(tensor.quantizationParameters?.scale == 0.003922)
                #expect(tensor.quantizationParameters?.zeroPoint == 0)
            }
        }

        @Test func severalSignaturesAreListedAndRunApart() throws {
            let interpreter = try Fixture.signatures.interpreter()
            #expect(interpreter.signatureKeys == ["plus", "minus", "total"])
            let runner = try interpreter.signatureRunner(with: "minus")
            #expect(try runner.input(named: "a").name == "sub_left:0")
            #expect(try runner.output(named: "difference").name == "sub_result:0")
            #expect(try runner.input(named: "a").shape == [1])
            #expect(throws: SignatureRunnerError.invalidTensorDataCount(provided: 8, required: 4)) {
                try runner.copy(floats(2, 4), toInputNamed: "a")
            }
            for name in runner.inputs { try runner.resizeInput(named: name, toShape: [2]) }
            try runner.invoke(with: ["a": floats(2, 4), "b": floats(-2, -2)])
            #expect(try runner.output(named: "difference").data == floats(4, 6))
            #expect(try interpreter.signatureRunner(with: "plus").input(named: "left").shape == [1])
        }

        @Test func callsBeforeAllocationSayWhatIsMissing() throws {
            let interpreter = try Fixture.add.interpreter()
            #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.invoke() }
            #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.input(at: 0) }
            #expect(throws: InterpreterError.invokeInterpreterRequired) { try interpreter.output(at: 0) }
        }
    }

    /// What the original's users stumbled over.
    struct Complaints {
        /// The original traps.
        @Test func modelsWithoutInputsRun() throws {
            let interpreter = try OriginalFixture.no_inputs.interpreter()
            for index in [0, -1, 1] {
                let error = InterpreterError.invalidTensorIndex(index: index, maxIndex: -1)
                #expect(throws: error) { try interpreter.input(at: index) }
                #expect(throws: error) { try interpreter.copy(Data(), toInputAt: index) }
                #expect(throws: error) { try interpreter.resizeInput(at: index, to: [1]) }
            }
            try interpreter.allocateTensors()
            try interpreter.invoke()
            #expect(try interpreter.output(at: 0).data == Data(elements: [Float(2), 6]))
        }

        @Test(.bug("https://github.com/ebraraktas/tflitec-rs/pull/24"))
        func int8ModelsRun() throws {
            let interpreter = try Fixture.add_int8.allocated(resizedTo: [2])
            let input = try interpreter.copy(Data(elements: [Int8(1), -4]), toInputAt: 0)
            #expect(input.dataType == .int8)
            try interpreter.invoke()
            #expect(try interpreter.output(at: 0).data == Data(elements: [Int8(9), -6]))
        }

        /// A float image of 224 x 224 where one of bytes and 300 x 300 was due; an archive where raw floats were.
        @Test(
            .bug("https://github.com/tensorflow/tensorflow/issues/35864"),
            .bug("https://github.com/tensorflow/tensorflow/issues/46199"),
            arguments: [
                (Fixture.add_uint8, [1, 300, 300, 3], 224 * 224 * 3 * 4, 270_000), (.add, [1134], 18_181, 4536),
            ] as [(Fixture, Tensor.Shape, Int, Int)])
        func wrongSizesAreNamedInTheWordsThatPeopleSearchFor(
            fixture: Fixture, shape: Tensor.Shape, provided: Int, required: Int
        ) throws {
            let interpreter = try fixture.allocated(resizedTo: shape)
            let error = #expect(throws: InterpreterError.self) {
                try interpreter.copy(Data(count: provided), toInputAt: 0)
            }
            let text = "Provided data count \(provided) must match the required count \(required)."
            #expect(error?.localizedDescription == text)
            #expect(error.map { "\($0)" } == text)
        }

        @Test(.bug("https://github.com/tensorflow/tensorflow/issues/51621"))
        func openSizesNeedAResizeFirst() throws {
            let interpreter = try Fixture.signatures.allocated()
            #expect(throws: InterpreterError.invalidTensorDataCount(provided: 64_000, required: 4)) {
                try interpreter.copy(Data(count: 64_000), toInputAt: 0)
            }
            for index in 0..<2 { try interpreter.resizeInput(at: index, to: [16_000]) }
            try interpreter.allocateTensors()
            #expect(try interpreter.copy(Data(count: 64_000), toInputAt: 0).shape == [16_000])
        }

        @Test(
            .bug("https://github.com/tensorflow/tensorflow/issues/57860"),
            .bug("https://github.com/tensorflow/tensorflow/issues/58280"),
            .bug("https://github.com/tensorflow/tensorflow/issues/49045"))
        func aMissingOperatorIsNamedBeforeAllocation() {
            for (path, name) in [
                (Fixture.unknown_custom.path, "HearthUnknown"), (EngineFixture.future_version.path, "ADD"),
            ] {
                let error = #expect(throws: InterpreterError.self) { try Interpreter(modelPath: path) }
                #expect(reason(error).contains(name), "\(reason(error))")
            }
        }

        @Test(.bug("https://github.com/tensorflow/tensorflow/issues/65990"))
        func interpretersOutliveTheScopeThatMadeThem() throws {
            func make() throws -> Interpreter {
                try Interpreter(modelData: Data(contentsOf: URL(fileURLWithPath: Fixture.add_batch.path)))
            }
            let interpreters = try (0..<20).map { _ in try make() }
            for interpreter in interpreters {
                try interpreter.allocateTensors()
                #expect(try interpreter.run([Float(1), 3]) == [3, 9])
                #expect(try interpreter.input(at: 0).data == Data(elements: [Float(1), 3]))
            }
        }

        @Test(.bug("https://github.com/tensorflow/tensorflow/issues/49045"))
        func tensorsOfTypesUnknownToSwiftAreRefusedByTheirName() throws {
            let interpreter = try OriginalFixture.bfloat16.allocated()
            #expect(reason(#expect(throws: InterpreterError.self) { try interpreter.invoke() }).contains("bfloat16"))
        }
    }
}

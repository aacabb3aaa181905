import Foundation
import TensorFlowLite
import Testing

extension OriginalBehaviorTests {
    struct SignatureDeclarations {
        private func runner(_ key: String = "plus") throws -> SignatureRunner {
            try Fixture.signatures.interpreter().signatureRunner(with: key)
        }

        private func floats(_ values: Float...) -> Data { Data(elements: values) }

        @Test func signatureRunnerNamesAKeyThatIsUnknown() throws {
            for (interpreter, key) in [
                (try Fixture.signatures.interpreter(), "no"), (try Fixture.add.interpreter(), ""),
            ] {
                #expect(throws: SignatureRunnerError.failedToCreateSignatureRunner(signatureKey: key)) {
                    try interpreter.signatureRunner(with: key)
                }
            }
        }

        @Test func signatureKeyInputsAndOutputs() throws {
            let runner = try runner()
            #expect(runner.signatureKey == "plus")
            // In the file `right` comes first.
            #expect(runner.inputs == ["left", "right"])
            #expect(runner.outputs == ["result"])
        }

        @Test func runnersKeepTheirInterpreterAlive() throws {
            weak var interpreter: Interpreter?
            let runner: SignatureRunner
            do {
                let made = try Fixture.signatures.interpreter()
                interpreter = made
                runner = try made.signatureRunner(with: "plus")
            }
            try runner.invoke(with: ["left": floats(1), "right": floats(2)])
            #expect(interpreter != nil)
            #expect(try runner.output(named: "result").data == floats(3))
        }

        @Test func inputNamedAndOutputNamedNameWhatIsUnknown() throws {
            let runner = try runner()
            #expect(throws: SignatureRunnerError.failedToGetTensor(tensorType: "input", nameInSignature: "result")) {
                try runner.input(named: "result")
            }
            #expect(throws: SignatureRunnerError.failedToGetTensor(tensorType: "output", nameInSignature: "left")) {
                try runner.output(named: "left")
            }
        }

        @Test func inputNamedAndOutputNamedRefuseUnsupportedTypes() throws {
            let runner = try OriginalFixture.bfloat16.interpreter().signatureRunner(with: "cast")
            #expect(throws: SignatureRunnerError.invalidTensorDataType) { try runner.input(named: "x") }
            #expect(throws: SignatureRunnerError.invalidTensorDataType) { try runner.output(named: "z") }
            #expect(throws: SignatureRunnerError.invalidTensorDataType) { try runner.inputDescription(named: "x") }
            #expect(throws: SignatureRunnerError.invalidTensorDataType) { try runner.outputDescription(named: "z") }
            #expect(throws: SignatureRunnerError.invalidTensorDataType) { try runner.copy(Data(), toInputNamed: "x") }
        }

        @Test func outputNamedIsReadableBeforeInvoke() throws {
            #expect(try runner().output(named: "result").data.count == 4)
        }

        @Test func resizeInputNamesTheInput() throws {
            let runner = try runner()
            for (name, shape) in [("left", [0]), ("no", [1])] as [(String, Tensor.Shape)] {
                #expect(throws: SignatureRunnerError.failedToResizeInputTensor(inputName: name)) {
                    try runner.resizeInput(named: name, toShape: shape)
                }
            }
        }

        /// Compiles only if there is no return value that would have to be used.
        @Test func copyChecksNameThenCount() throws {
            let runner = try runner()
            #expect(throws: SignatureRunnerError.failedToGetTensor(tensorType: "input", nameInSignature: "no")) {
                try runner.copy(Data(), toInputNamed: "no")
            }
            #expect(throws: SignatureRunnerError.invalidTensorDataCount(provided: 3, required: 4)) {
                try runner.copy(Data(count: 3), toInputNamed: "left")
            }
            let copied: Void = try runner.copy(floats(5), toInputNamed: "left")
            #expect(copied == ())
            #expect(try runner.input(named: "left").data == floats(5))
        }

        @Test func allocateTensorsDoesNothingWithoutAResize() throws {
            let runner = try runner()
            try runner.copy(floats(5), toInputNamed: "left")
            try runner.allocateTensors()
            #expect(try runner.input(named: "left").data == floats(5))
        }

        @Test func initAndInvokeAllocate() throws {
            let runner = try runner()
            #expect(try runner.input(named: "left").data.count == 4)
            for name in runner.inputs { try runner.resizeInput(named: name, toShape: [2]) }
            #expect(throws: SignatureRunnerError.allocateTensorsRequired) { try runner.input(named: "left") }
            try runner.invoke(with: ["left": floats(1, 2), "right": floats(3, 4)])
            #expect(try runner.output(named: "result").data == floats(4, 6))
        }

        @Test func invokePassesOnWhatCopyThrows() throws {
            let runner = try runner()
            #expect(throws: SignatureRunnerError.invalidTensorDataCount(provided: 8, required: 4)) {
                try runner.invoke(with: ["left": floats(1, 2)])
            }
            #expect(throws: SignatureRunnerError.failedToGetTensor(tensorType: "input", nameInSignature: "no")) {
                try runner.invoke(with: ["no": floats(1)])
            }
        }

        /// The original says `failedToInvokeSignature` here and keeps the reason to itself.
        @Test func invokeTellsWhyARunFails() throws {
            let runner = try OriginalFixture.bfloat16.interpreter().signatureRunner(with: "cast")
            let error = #expect(throws: InterpreterError.self) { try runner.invoke(with: [:]) }
            #expect(reason(error).contains("bfloat16"))
        }
    }
}

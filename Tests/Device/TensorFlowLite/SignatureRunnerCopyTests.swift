import Foundation
import HearthTestSupport
import TensorFlowLite
import Testing

/// Copying typed values to named inputs.
struct SignatureRunnerCopyTests {
    private func runner() throws -> SignatureRunner {
        try Fixture.signatures.interpreter().signatureRunner(with: "minus")
    }

    private func quantized() throws -> SignatureRunner {
        let path = TestPaths.package.appendingPathComponent("Models/digits-labeler/model.tflite").path
        return try Interpreter(modelPath: path).signatureRunner(with: "serving_default")
    }

    @Test func runsOnValues() throws {
        let runner = try runner()
        try runner.copy([Float(5)], toInputNamed: "a")
        try runner.copy([Float(3)], toInputNamed: "b")
        try runner.invoke(with: [:])
        #expect(try runner.output(named: "difference").values() == [Float(2)])
    }

    @Test func runsOnRealNumbers() throws {
        let floats = try runner()
        try floats.copy(quantizing: [2.5], toInputNamed: "a")
        #expect(try floats.input(named: "a").values() == [Float(2.5)])

        let quantized = try quantized()
        let count = 32 * 32 * 3
        // The scale is 2 / 255, the zero point 127.
        try quantized.copy(quantizing: [0.5] + [Float](repeating: 0, count: count - 1), toInputNamed: "image")
        #expect(try quantized.input(named: "image").data == Data([191] + [UInt8](repeating: 127, count: count - 1)))
    }

    @Test func checksInTheDocumentedOrder() throws {
        let runner = try quantized()
        let unknown = SignatureRunnerError.failedToGetTensor(tensorType: "input", nameInSignature: "no")
        #expect(throws: unknown) { try runner.copy(["text"], toInputNamed: "no") }
        #expect(throws: unknown) { try runner.copy(quantizing: [.nan], toInputNamed: "no") }
        #expect(throws: InterpreterError.invalidTensorDataType) { try runner.copy([Float(1)], toInputNamed: "image") }
        try runner.resizeInput(named: "image", toShape: [2, 32, 32, 3])
        #expect(throws: InterpreterError.invalidTensorDataCount(provided: 1, required: 2 * 32 * 32 * 3)) {
            try runner.copy([UInt8(1)], toInputNamed: "image")
        }
        #expect(throws: InterpreterError.invalidTensorDataCount(provided: 1, required: 2 * 32 * 32 * 3)) {
            try runner.copy(quantizing: [.nan], toInputNamed: "image")
        }
        let reals = [Float](repeating: 0, count: 2 * 32 * 32 * 3)
        let error = #expect(throws: InterpreterError.self) {
            try runner.copy(quantizing: reals.dropLast() + [.nan], toInputNamed: "image")
        }
        #expect(reason(error).contains("not a number"))
        #expect(throws: SignatureRunnerError.allocateTensorsRequired) {
            try runner.copy(quantizing: reals, toInputNamed: "image")
        }
    }

    @Test func lendsMemoryOnlyWhenAllocated() throws {
        let runner = try runner()
        #expect(throws: CocoaError.self) {
            try runner.withUnsafeMutableInputBytes(named: "a") { _ in throw CocoaError(.featureUnsupported) }
        }
        try runner.resizeInput(named: "a", toShape: [2])
        #expect(throws: SignatureRunnerError.allocateTensorsRequired) {
            try runner.withUnsafeMutableInputBytes(named: "a") { _ in }
        }
        #expect(throws: SignatureRunnerError.allocateTensorsRequired) {
            try runner.withUnsafeOutputBytes(named: "difference") { _ in }
        }
        #expect(try runner.inputDescription(named: "a").shape == [2])
    }
}

import Foundation
import HearthTestSupport
import TensorFlowLite
import Testing

/// `signatures.tflite`: `plus` and `total` add, `minus` subtracts; any number of elements, one unless resized.
struct SignatureRunnerTests {
    private func floats(_ values: Float...) -> Data { Data(elements: values) }

    @Test func listsKeysInTheFilesOrder() throws {
        #expect(try Fixture.signatures.interpreter().signatureKeys == ["plus", "minus", "total"])
        #expect(try Fixture.add.interpreter().signatureKeys == [])
    }

    @Test func runsEachSignature() throws {
        let interpreter = try Fixture.signatures.interpreter()
        let plus = try interpreter.signatureRunner(with: "plus")
        let minus = try interpreter.signatureRunner(with: "minus")
        try plus.invoke(with: ["left": floats(5), "right": floats(3)])
        try minus.invoke(with: ["a": floats(5), "b": floats(3)])
        #expect(try plus.output(named: "result").data == floats(8))
        #expect(try minus.output(named: "difference").data == floats(2))
    }

    @Test func describesTensorsByTheirOwnNames() throws {
        let runner = try Fixture.signatures.interpreter().signatureRunner(with: "minus")
        let input = try runner.input(named: "a")
        #expect(input.name == "sub_left:0")
        #expect(input.dataType == .float32)
        #expect(input.shape == [1])
        #expect(try runner.inputDescription(named: "b").name == "sub_right:0")
        #expect(try runner.outputDescription(named: "difference").name == "sub_result:0")
        // Outputs can be read before the first run, as the original library lets one do.
        #expect(try runner.output(named: "difference").data.count == 4)
    }

    @Test func resizesOneSignatureOnly() throws {
        let interpreter = try Fixture.signatures.interpreter()
        let plus = try interpreter.signatureRunner(with: "plus")
        let minus = try interpreter.signatureRunner(with: "minus")
        #expect(throws: SignatureRunnerError.invalidTensorDataCount(provided: 8, required: 4)) {
            try plus.copy(floats(1, 2), toInputNamed: "left")
        }
        for name in plus.inputs { try plus.resizeInput(named: name, toShape: [2]) }
        try plus.invoke(with: ["left": floats(2, 4), "right": floats(4, 8)])
        #expect(try plus.output(named: "result").data == floats(6, 12))
        #expect(try plus.output(named: "result").shape == [2])
        #expect(try minus.input(named: "a").shape == [1])
        try minus.invoke(with: ["a": floats(1), "b": floats(3)])
        #expect(try minus.output(named: "difference").data == floats(-2))
    }

    @Test func wantsAllocationAfterAResize() throws {
        let runner = try Fixture.signatures.interpreter().signatureRunner(with: "plus")
        for name in runner.inputs { try runner.resizeInput(named: name, toShape: [2]) }
        #expect(throws: SignatureRunnerError.allocateTensorsRequired) { try runner.input(named: "left") }
        #expect(throws: SignatureRunnerError.allocateTensorsRequired) { try runner.output(named: "result") }
        #expect(throws: SignatureRunnerError.allocateTensorsRequired) {
            try runner.copy(floats(1, 2), toInputNamed: "left")
        }
        try runner.allocateTensors()
        try runner.allocateTensors()
        try runner.copy(floats(1, 2), toInputNamed: "left")
        #expect(try runner.input(named: "left").data == floats(1, 2))
    }

    @Test func keepsInputsThatARunDoesNotName() throws {
        let runner = try Fixture.signatures.interpreter().signatureRunner(with: "plus")
        try runner.invoke(with: ["left": floats(5), "right": floats(3)])
        try runner.invoke(with: ["left": floats(10)])
        #expect(try runner.output(named: "result").data == floats(13))
        try runner.invoke(with: [:])
        #expect(try runner.output(named: "result").data == floats(13))
    }

    @Test func namesWhatIsUnknown() throws {
        let interpreter = try Fixture.signatures.interpreter()
        for key in ["", "times", "Plus"] {
            #expect(throws: SignatureRunnerError.failedToCreateSignatureRunner(signatureKey: key)) {
                try interpreter.signatureRunner(with: key)
            }
        }
        let runner = try interpreter.signatureRunner(with: "plus")
        let unknownInput = SignatureRunnerError.failedToGetTensor(tensorType: "input", nameInSignature: "sum")
        let unknownOutput = SignatureRunnerError.failedToGetTensor(tensorType: "output", nameInSignature: "left")
        #expect(throws: unknownInput) { try runner.input(named: "sum") }
        #expect(throws: unknownInput) { try runner.inputDescription(named: "sum") }
        #expect(throws: unknownInput) { try runner.copy(floats(1), toInputNamed: "sum") }
        #expect(throws: unknownInput) { try runner.invoke(with: ["sum": floats(1)]) }
        #expect(throws: unknownInput) { try runner.withUnsafeMutableInputBytes(named: "sum") { _ in } }
        #expect(throws: unknownOutput) { try runner.output(named: "left") }
        #expect(throws: unknownOutput) { try runner.outputDescription(named: "left") }
        #expect(throws: unknownOutput) { try runner.withUnsafeOutputBytes(named: "left") { _ in } }
        #expect(throws: SignatureRunnerError.failedToResizeInputTensor(inputName: "sum")) {
            try runner.resizeInput(named: "sum", toShape: [1])
        }
    }

    @Test(arguments: [[], [0], [-1], [1, 1, 1, 1, 1, 1, 1, 1, 1], [.max, .max]])
    func refusesImpossibleShapes(dimensions: [Int]) throws {
        let runner = try Fixture.signatures.interpreter().signatureRunner(with: "plus")
        #expect(throws: SignatureRunnerError.failedToResizeInputTensor(inputName: "left")) {
            try runner.resizeInput(named: "left", toShape: Tensor.Shape(dimensions))
        }
        try runner.invoke(with: ["left": floats(5), "right": floats(3)])
        #expect(try runner.output(named: "result").data == floats(8))
    }

    @Test func saysWhyARunFails() throws {
        let runner = try Fixture.signatures.interpreter().signatureRunner(with: "plus")
        try runner.resizeInput(named: "left", toShape: [2])
        try runner.resizeInput(named: "right", toShape: [3])
        let error = #expect(throws: InterpreterError.self) { try runner.invoke(with: [:]) }
        #expect(error?.description.contains("failed to prepare") == true, "\(error as Any)")
    }

    @Test func lendsTensorMemory() throws {
        let runner = try Fixture.signatures.interpreter().signatureRunner(with: "minus")
        for (name, value) in [("a", Float(7)), ("b", 2)] {
            try runner.withUnsafeMutableInputBytes(named: name) { $0.storeBytes(of: value, as: Float.self) }
        }
        try runner.invoke(with: [:])
        #expect(try runner.withUnsafeOutputBytes(named: "difference") { $0.load(as: Float.self) } == 5)
    }

    /// Two signatures of one graph, and the interpreter whose main graph it is, have one set of tensors.
    @Test func sharesTheTensorsOfAGraph() throws {
        let interpreter = try Fixture.signatures.interpreter()
        let plus = try interpreter.signatureRunner(with: "plus")
        let total = try interpreter.signatureRunner(with: "total")
        try plus.resizeInput(named: "left", toShape: [2])
        try plus.resizeInput(named: "right", toShape: [2])
        #expect(throws: SignatureRunnerError.allocateTensorsRequired) { try total.input(named: "x") }
        #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.invoke() }
        try total.invoke(with: ["x": floats(1, 2), "y": floats(10, 20)])
        #expect(try plus.output(named: "result").data == floats(11, 22))
        #expect(try interpreter.output(at: 0).data == floats(11, 22))
    }

    @Test(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
    func runsTheSignaturesOfARealModel() throws {
        let path = TestPaths.shared.appendingPathComponent("models/interp/multi_signature_model.tflite").path
        let interpreter = try Interpreter(modelPath: path)
        #expect(Set(interpreter.signatureKeys) == ["add", "sub", "mul"])
        let ones = Data(elements: [Float](repeating: 3, count: 100))
        for (key, expected) in [("add", Float(6)), ("sub", 0), ("mul", 9)] {
            let runner = try interpreter.signatureRunner(with: key)
            try runner.invoke(with: Dictionary(uniqueKeysWithValues: runner.inputs.map { ($0, ones) }))
            let output = try runner.output(named: runner.outputs[0]).data.elements(Float.self)
            #expect(output.allSatisfy { $0 == expected })
        }
    }
}

/// `side_signature.tflite` has a signature, but none for its main graph, which the engine cannot run by itself.
struct UnnamedMainGraphTests {
    @Test func runsTheMainGraphAndTheSignature() throws {
        let interpreter = try Fixture.side_signature.allocated()
        #expect(interpreter.signatureKeys == ["minus"])
        try interpreter.copy([Float(3)], toInputAt: 0)
        try interpreter.copy([Float(5)], toInputAt: 1)
        try interpreter.invoke()
        #expect(try interpreter.output(at: 0).values() == [Float(8)])
        let minus = try interpreter.signatureRunner(with: "minus")
        try minus.copy([Float(5)], toInputNamed: "a")
        try minus.copy([Float(3)], toInputNamed: "b")
        try minus.invoke(with: [:])
        #expect(try minus.output(named: "difference").values() == [Float(2)])
        #expect(throws: SignatureRunnerError.self) { try interpreter.signatureRunner(with: "main 0") }
    }
}

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

struct SignatureRunnerErrorTests {
    private static let texts: [(SignatureRunnerError, String)] = [
        (
            .invalidTensorDataCount(provided: 7, required: 8),
            "Provided data count 7 must match the required count 8."
        ),
        (
            .invalidTensorDataType,
            "Tensor data type is unsupported or could not be determined due to a model error."
        ),
        (.failedToCopyDataToInputTensor, "Failed to copy data to input tensor."),
        (.failedToAllocateTensors, "Failed to allocate memory for input tensors."),
        (
            .failedToCreateSignatureRunner(signatureKey: "k"),
            "Failed to create a signature runner. Signature with key (k) not found."
        ),
        (
            .failedToGetTensor(tensorType: "input", nameInSignature: "x"),
            "Failed to get input tensor with input name (x)."
        ),
        (.failedToResizeInputTensor(inputName: "x"), "Failed to resize input tensor with input name (x)."),
        (.failedToInvokeSignature(signatureKey: "k"), "Failed to invoke the signature runner with key (k)."),
        (.allocateTensorsRequired, "Must call allocateTensors()."),
    ]

    @Test(arguments: texts)
    func saysWhatTheOriginalSays(error: SignatureRunnerError, text: String) {
        #expect(error.description == text)
        #expect(error.errorDescription == text)
        #expect((error as any Error).localizedDescription == text)
    }

    /// The codes that apps see through NSError follow from the order of the cases.
    @Test(arguments: [
        (SignatureRunnerError.invalidTensorDataCount(provided: 7, required: 8), 0),
        (.failedToCreateSignatureRunner(signatureKey: "k"), 1),
        (.failedToGetTensor(tensorType: "input", nameInSignature: "x"), 2),
        (.failedToResizeInputTensor(inputName: "x"), 3),
        (.failedToInvokeSignature(signatureKey: "k"), 4),
        (.invalidTensorDataType, 5),
        (.failedToCopyDataToInputTensor, 6),
        (.failedToAllocateTensors, 7),
        (.allocateTensorsRequired, 8),
    ])
    func keepsItsCodes(error: SignatureRunnerError, code: Int) {
        #expect((error as NSError).code == code)
    }

    @Test func comparesByCaseAndPayload() {
        #expect(Set(Self.texts.map(\.0)).count == Self.texts.count)
        #expect(
            SignatureRunnerError.failedToInvokeSignature(signatureKey: "a")
                != .failedToInvokeSignature(signatureKey: "b"))
    }
}

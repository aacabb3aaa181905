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

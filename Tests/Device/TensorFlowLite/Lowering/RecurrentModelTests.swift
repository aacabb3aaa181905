import Foundation
import HearthTestSupport
import TensorFlowLite
import Testing

/// Models with state, which the engine refuses, give what its own interpreter gives, run after run. The models and answers
/// are those of the kernels' tests; here they go all the way through the engine.
struct RecurrentModelTests {
    private func interpreter(_ name: String) throws -> Interpreter {
        try Interpreter(modelPath: ReferenceRun.folder.appendingPathComponent("\(name).tflite").path)
    }

    private func expect(_ output: Tensor, toBe expected: Data, _ answer: ReferenceRun, _ comment: Comment) throws {
        #expect(output.shape.dimensions == answer.outputShape, comment)
        guard answer.isFloat else {
            #expect(output.data == expected, comment)
            return
        }
        let isNear = zip(try output.values(as: Float.self), expected.elements(Float.self)).allSatisfy {
            abs($0 - $1) <= max(1e-6, 1e-5 * abs($1))
        }
        #expect(isNear && output.data.count == expected.count, comment)
    }

    @Test func hasModels() {
        #expect(ReferenceRun.all.count > 40)
    }

    @Test(arguments: ReferenceRun.all.keys.sorted())
    func answersLikeTheEnginesOwnInterpreter(name: String) throws {
        let answer = try ReferenceRun.named(name)
        let interpreter = try interpreter(name)
        try interpreter.allocateTensors()
        for (run, (input, output)) in zip(answer.inputs, answer.outputs).enumerated() {
            try interpreter.copy(input, toInputAt: 0)
            try interpreter.invoke()
            try expect(interpreter.output(at: 0), toBe: output, answer, "run \(run)")
        }
        try interpreter.resetVariableTensors()
        try interpreter.copy(answer.inputs[0], toInputAt: 0)
        try interpreter.invoke()
        try expect(interpreter.output(at: 0), toBe: answer.outputs[0], answer, "after a reset")
    }

    @Test func keepsTheStateOfEachInterpreterApart() throws {
        let answer = try ReferenceRun.named("lstm_step")
        let interpreters = try (0..<3).map { _ in try interpreter("lstm_step") }
        for interpreter in interpreters { try interpreter.allocateTensors() }
        for (run, (input, output)) in zip(answer.inputs, answer.outputs).enumerated() {
            for interpreter in interpreters {
                try interpreter.copy(input, toInputAt: 0)
                try interpreter.invoke()
                try expect(interpreter.output(at: 0), toBe: output, answer, "run \(run)")
            }
        }
    }

    /// Allocating again without a resize keeps the state, as it keeps inputs; a resize of the time axis clears it.
    @Test func clearsTheStateWithAResize() throws {
        let answer = try ReferenceRun.named("sequence_lstm")
        let interpreter = try interpreter("sequence_lstm")
        try interpreter.allocateTensors()
        try interpreter.copy(answer.inputs[0], toInputAt: 0)
        try interpreter.invoke()
        try interpreter.allocateTensors()
        try interpreter.copy(answer.inputs[1], toInputAt: 0)
        try interpreter.invoke()
        try expect(interpreter.output(at: 0), toBe: answer.outputs[1], answer, "allocated again")

        var longer = answer.inputShape
        longer[1] *= 2
        try interpreter.resizeInput(at: 0, to: Tensor.Shape(longer))
        try interpreter.allocateTensors()
        #expect(try interpreter.inputDescription(at: 0).shape.dimensions == longer)
        try interpreter.invoke()
        #expect(try interpreter.output(at: 0).shape.dimensions[1] == 2 * answer.outputShape[1])
        try interpreter.resizeInput(at: 0, to: Tensor.Shape(answer.inputShape))
        try interpreter.allocateTensors()
        try interpreter.copy(answer.inputs[0], toInputAt: 0)
        try interpreter.invoke()
        try expect(interpreter.output(at: 0), toBe: answer.outputs[0], answer, "back at first")
    }

    /// The state has the batch size that the model was made with.
    @Test func refusesAnotherBatchSize() throws {
        let answer = try ReferenceRun.named("lstm_step")
        let interpreter = try interpreter("lstm_step")
        try interpreter.resizeInput(at: 0, to: [answer.inputShape[0] + 1, answer.inputShape[1]])
        for _ in 0..<2 {
            let error = #expect(throws: InterpreterError.self) {
                try interpreter.allocateTensors()
                try interpreter.invoke()
            }
            #expect(
                error?.description.contains("batch") == true || error == .allocateTensorsRequired, "\(error as Any)")
        }
        try interpreter.resizeInput(at: 0, to: Tensor.Shape(answer.inputShape))
        try interpreter.allocateTensors()
        try interpreter.copy(answer.inputs[0], toInputAt: 0)
        try interpreter.invoke()
        try expect(interpreter.output(at: 0), toBe: answer.outputs[0], answer, "with the right size")
    }

    // MARK: In company

    /// A string too long for the room at first makes the session run again, which must not move the state on twice.
    @Test(arguments: [1, 3_000_000])
    func movesTheStateOnOnceForEachRun(length: Int) throws {
        let answer = try ReferenceRun.named("lstm_step")
        let interpreter = try interpreter("combined/strings")
        try interpreter.allocateTensors()
        let text = String(repeating: "x", count: length)
        for (run, (input, output)) in zip(answer.inputs, answer.outputs).enumerated() {
            try interpreter.copy(input, toInputAt: 0)
            try interpreter.copy([text], toInputAt: 1)
            try interpreter.invoke()
            try expect(interpreter.output(at: 0), toBe: output, answer, "run \(run)")
            #expect(try interpreter.output(at: 1).values(as: String.self) == [text])
        }
    }

    @Test func doesNotBlameOneSignatureForAnother() throws {
        let answer = try ReferenceRun.named("lstm_step")
        let interpreter = try interpreter("combined/signatures")
        let good = try interpreter.signatureRunner(with: "a")
        let bad = try interpreter.signatureRunner(with: "b")
        try bad.resizeInput(named: "x0", toShape: [answer.inputShape[0] + 1, answer.inputShape[1]])
        let error = #expect(throws: InterpreterError.self) { try bad.allocateTensors() }
        #expect(error?.description.contains("batch") == true, "\(error as Any)")
        try good.invoke(with: ["x0": answer.inputs[0]])
        try expect(good.output(named: "y0"), toBe: answer.outputs[0], answer, "the other signature")
        #expect(throws: InterpreterError.self) { try bad.invoke(with: [:]) }
        try interpreter.invoke()
    }
}

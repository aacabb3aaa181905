import Foundation
import HearthKernels
import HearthModelFile
import HearthTestSupport
import Testing

/// The kernels answer what the engine's own interpreter answers, run after run.
@Suite struct EngineAnswerTests {
    static let names = ReferenceRun.all.keys.sorted()

    @Test func everyModelHasAnswers() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: ReferenceRun.folder.path)
        #expect(files.filter { $0.hasSuffix(".tflite") }.map { String($0.dropLast(7)) }.sorted() == Self.names)
        #expect(!Self.names.isEmpty)
    }

    @Test(arguments: names)
    func answersLikeTheEngine(name: String) throws {
        let expected = try ReferenceRun.named(name)
        let kernel = try RecurrentOperator(ReferenceRun.model(name), subgraph: 0, operator: 0)
        #expect(kernel.activationInput == 0)
        #expect(try kernel.prepare(inputShape: expected.inputShape) == expected.outputShape)
        for (input, output) in zip(expected.inputs, expected.outputs) {
            expectEqual(try kernel.answer(to: input, outputBytes: output.count), output, expected.isFloat)
        }
        kernel.resetState()
        let first = expected.outputs[0]
        expectEqual(try kernel.answer(to: expected.inputs[0], outputBytes: first.count), first, expected.isFloat)
    }

    private func expectEqual(_ answer: Data, _ expected: Data, _ isFloat: Bool) {
        guard isFloat else {
            let different = zip(answer, expected).count { $0 != $1 }
            #expect(different == 0, "\(different) of \(expected.count) bytes differ")
            return
        }
        for (value, wanted) in zip(answer.floats, expected.floats) {
            let tolerance = max(1e-6, 1e-5 * abs(wanted))
            guard abs(value - wanted) <= tolerance else {
                Issue.record("\(value) is not \(wanted)")
                return
            }
        }
    }
}

/// Public models with state are taken as they are.
@Suite(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
struct SharedModelTests {
    @Test(arguments: ["lstm.bin", "keras_lstm_mnist_ptq.tflite"])
    func takesPublicModels(name: String) throws {
        let path = TestPaths.shared.appendingPathComponent("models/interp/\(name)").path
        let model = try ModelFile(ModelBytes(contentsOfFile: path))
        let graph = model.graph.subgraphs[0]
        let numbers = graph.operators.indices.filter { ReferenceRun.codes.contains(graph.operators[$0].builtinCode) }
        #expect(!numbers.isEmpty)
        for number in numbers {
            let kernel = try RecurrentOperator(model, subgraph: 0, operator: number)
            let input = graph.tensors[kernel.activationInput].shape
            let output = try kernel.prepare(inputShape: input)
            #expect(output.dropLast() == input.dropLast())
            #expect(output.last == graph.tensors[graph.operators[number].inputs[18]].shape.last)
        }
    }
}

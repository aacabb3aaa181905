import Foundation
import HearthKernels
import HearthModelFile
import HearthTestSupport
import Testing

/// Public models with state are taken as they are.
@Suite(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
struct SharedModelTests {
    @Test(arguments: ["lstm.bin", "keras_lstm_mnist_ptq.tflite"])
    func takesPublicModels(name: String) throws {
        let path = TestPaths.shared.appendingPathComponent("models/interp/\(name)").path
        let model = try ModelFile(ModelBytes(contentsOfFile: path))
        let graph = model.graph.subgraphs[0]
        let numbers = graph.operators.indices.filter { EngineAnswer.codes.contains(graph.operators[$0].builtinCode) }
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

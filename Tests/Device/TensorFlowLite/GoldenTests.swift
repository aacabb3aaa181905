import Foundation
import HearthModelFile
import HearthTestSupport
import TensorFlowLite
import Testing

/// Real models give the very bytes that the same release's Python interpreter gives.
struct GoldenTests {
    @Test(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"), arguments: try GoldenRun.all())
    func matches(run: GoldenRun) throws {
        let model = try ModelFile(ModelBytes(contentsOfFile: run.modelURL.path))
        let interpreter = try Interpreter(model: model)
        let order = try run.order(in: model.graph)
        for (index, shape) in run.resizes { try interpreter.resizeInput(at: order.inputs[index], to: shape) }
        try interpreter.allocateTensors()
        for (k, index) in order.inputs.enumerated() {
            let data = try run.input(k, like: interpreter.input(at: index))
            try interpreter.copy(data, toInputAt: index)
        }
        try interpreter.invoke()
        let outputs = try order.outputs.map { try interpreter.output(at: $0) }
        #expect(outputs.map(\.shape.dimensions) == run.outputShapes)
        #expect(try SHA256Sum.of(outputs.map(\.data)) == run.outputHashes)
        // And once more: what was learnt in the first run must not spoil the second.
        try interpreter.invoke()
        #expect(try order.outputs.map { try interpreter.output(at: $0).data } == outputs.map(\.data))
    }

    @Test(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
    func coversNearlyAllRuns() throws {
        #expect(try GoldenRun.all().count == 39)
    }
}

import Foundation
import HearthTestSupport
import TensorFlowLite
import Testing

/// Real models give the very bytes that the same release's Python interpreter gives.
struct GoldenTests {
    @Test(
        .enabled(if: TestPaths.hasSharedData, "the shared data is absent"),
        arguments: try GoldenRun.all().filter { !$0.fails })
    func matches(golden: GoldenRun) throws {
        var options = Interpreter.Options()
        if golden.needsBuiltInKernels { options.kernelMode = .builtIn }
        let interpreter = try Interpreter(modelPath: golden.modelURL.path, options: options)
        let run = try golden.runner(interpreter)
        try run.prepare(golden)
        for (number, expected) in golden.outputs.enumerated() {
            if number == 3 { try interpreter.resetVariableTensors() }
            try expect(run.outputs(), toBe: expected, "run \(number)")
        }
        // And once more: what was learnt in the first run must not spoil the second.
        try interpreter.resetVariableTensors()
        try expect(run.outputs(), toBe: golden.outputs[0], "the first run again")
    }

    /// Bytes are equal, or the numbers that the golden file lists are near for what our own float kernels compute.
    private func expect(_ tensors: [Tensor], toBe expected: [GoldenRun.Output], _ comment: Comment) throws {
        #expect(tensors.count == expected.count, comment)
        for (tensor, expected) in zip(tensors, expected) {
            let output = try GoldenRun.Output(tensor)
            guard output != expected, let near = expected.floats, tensor.dataType == .float32 else {
                #expect(output == expected, comment)
                continue
            }
            let values = try tensor.values(as: Float.self)
            #expect(values.count == near.count, comment)
            #expect(zip(values, near).allSatisfy { abs($0 - $1) <= 1e-5 * abs($1) }, comment)
        }
    }

    @Test(
        .enabled(if: TestPaths.hasSharedData, "the shared data is absent"),
        arguments: try GoldenRun.all().filter(\.fails))
    func failsWhereTheEngineDoes(golden: GoldenRun) {
        let error = #expect(throws: InterpreterError.self) { try Interpreter(modelPath: golden.modelURL.path) }
        #expect(error?.description.contains("custom operators") == true, "\(error as Any)")
    }

    @Test(
        .enabled(if: TestPaths.hasSharedData, "the shared data is absent"),
        arguments: try GoldenRun.all().filter(\.needsBuiltInKernels))
    func failsWhereXNNPackDoes(golden: GoldenRun) throws {
        let run = try golden.runner(Interpreter(modelPath: golden.modelURL.path))
        try run.prepare(golden)
        let error = #expect(throws: InterpreterError.self) { try run.outputs() }
        #expect(error?.description.contains("failed to prepare") == true, "\(error as Any)")
    }

    @Test(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
    func coversEveryRun() throws {
        #expect(try GoldenRun.all().count == 48)
        #expect(try GoldenRun.all().count(where: \.fails) == 2)
        #expect(try GoldenRun.all().count(where: \.needsBuiltInKernels) == 1)
    }
}

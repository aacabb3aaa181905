import Foundation
import HearthTestSupport
import TensorFlowLite
import Testing

/// Real models give the very bytes that the same release's Python interpreter gives.
struct GoldenTests {
    @Test(
        .enabled(if: TestPaths.hasSharedData, "the shared data is absent"),
        arguments: try GoldenRun.all().filter { !$0.fails && !$0.needsBuiltInKernels })
    func matches(golden: GoldenRun) throws {
        let interpreter = try Interpreter(modelPath: golden.modelURL.path)
        let run: any GoldenRunner =
            try golden.signature.map { SignatureGolden(runner: try interpreter.signatureRunner(with: $0)) }
            ?? MainGolden(interpreter: interpreter)
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

    @Test(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
    func coversEveryRun() throws {
        #expect(try GoldenRun.all().count == 48)
        #expect(try GoldenRun.all().count(where: \.fails) == 2)
    }
}

/// Inputs and outputs in the order of the golden file, whichever way the model is run.
private protocol GoldenRunner {
    func prepare(_ golden: GoldenRun) throws
    func outputs() throws -> [Tensor]
}

private struct MainGolden: GoldenRunner {
    let interpreter: Interpreter

    func prepare(_ golden: GoldenRun) throws {
        for (index, shape) in golden.resizes { try interpreter.resizeInput(at: index, to: shape) }
        try interpreter.allocateTensors()
        for k in 0..<interpreter.inputTensorCount {
            if let strings = golden.strings["\(k)"] {
                try interpreter.copy(strings, toInputAt: k)
            } else if let numbers = golden.numbers["\(k)"] {
                try interpreter.copy(numbers, toInputAt: k)
            } else {
                let shape = try interpreter.inputDescription(at: k).shape
                try interpreter.copy(golden.bytes(ofInput: k, shape: shape), toInputAt: k)
            }
        }
    }

    func outputs() throws -> [Tensor] {
        try interpreter.invoke()
        return try (0..<interpreter.outputTensorCount).map { try interpreter.output(at: $0) }
    }
}

private struct SignatureGolden: GoldenRunner {
    let runner: SignatureRunner

    func prepare(_ golden: GoldenRun) throws {
        for (k, name) in runner.inputs.enumerated() {
            if let strings = golden.strings[name] {
                // Given without a shape: the model leaves it open.
                try runner.resizeInput(named: name, toShape: [1, strings.count])
                try runner.allocateTensors()
                try runner.copy(strings, toInputNamed: name)
            } else {
                let shape = try runner.inputDescription(named: name).shape
                try runner.copy(golden.bytes(ofInput: k, shape: shape), toInputNamed: name)
            }
        }
    }

    func outputs() throws -> [Tensor] {
        try runner.invoke(with: [:])
        return try runner.outputs.map { try runner.output(named: $0) }
    }
}

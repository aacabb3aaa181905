import Foundation
import TensorFlowLite

/// Runs a model on the inputs of a golden entry, through the interpreter or through a signature. Inputs and outputs are
/// in the order of the golden file.
protocol GoldenRunner {
    func prepare(_ golden: GoldenRun) throws
    func outputs() throws -> [Tensor]
}

extension GoldenRun {
    func runner(_ interpreter: Interpreter) throws -> any GoldenRunner {
        guard let signature else { return MainGolden(interpreter: interpreter) }
        return SignatureGolden(runner: try interpreter.signatureRunner(with: signature))
    }
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

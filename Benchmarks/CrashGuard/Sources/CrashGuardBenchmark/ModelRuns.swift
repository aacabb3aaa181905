import BenchmarkParts
import Dispatch
import Foundation
import HearthModelInterpreter
import TensorFlowLite

/// Runs of a model of floats with `ModelInterpreter`. It runs them on a queue of its own, so that what is measured is the
/// time from the first of many calls to the last answer. The callbacks wait for that end, because to wake a thread for each
/// would take longer than all the rest.
struct ModelRuns {
    private let interpreter: ModelInterpreter
    private let inputs = ModelInputs()
    private let options = ModelInputOutputOptions()
    private let callbacks = DispatchQueue(label: "callbacks")

    /// - Parameter model: The same model, for the shapes of its inputs and outputs.
    init(_ interpreter: ModelInterpreter, like model: Interpreter) throws {
        self.interpreter = interpreter
        interpreter.callbackQueue = callbacks
        for index in 0..<model.inputTensorCount {
            let tensor = try model.input(at: index)
            try options.setInputFormat(index: UInt(index), type: .float32, dimensions: Self.dimensions(tensor))
            try inputs.addInput(tensor.data)
        }
        for index in 0..<model.outputTensorCount {
            let tensor = try model.output(at: index)
            try options.setOutputFormat(index: UInt(index), type: .float32, dimensions: Self.dimensions(tensor))
        }
        try self.do(1)
    }

    private static func dimensions(_ tensor: Tensor) -> [NSNumber] {
        tensor.shape.dimensions.map { NSNumber(value: $0) }
    }

    func `do`(_ count: Int) throws {
        let (interpreter, inputs, options) = (interpreter, inputs, options)
        let isLastRunDone = DispatchSemaphore(value: 0)
        // Safe: only the serial queue writes it, and it is read on that queue.
        nonisolated(unsafe) var failure: (any Error)?
        callbacks.suspend()
        for _ in 1..<count {
            interpreter.run(inputs: inputs, options: options) { _, error in failure = failure ?? error }
        }
        Task { [callbacks] in
            do {
                try await interpreter.run(inputs: inputs, options: options)
            } catch {
                callbacks.async { failure = error }
            }
            isLastRunDone.signal()
        }
        isLastRunDone.wait()
        callbacks.resume()
        if let failure = callbacks.sync(execute: { failure }) { throw failure }
    }
}

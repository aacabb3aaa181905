import Foundation
import HearthTestSupport
import TensorFlowLite

/// The models of `Tests/Fixtures/engine`; `make_engine_models.py` says what each one computes.
enum EngineFixture: String {
    case dense_1, dense_2, mixed, tanh, counting_loop, endless_loop, unmatched_shapes, future_version

    var path: String {
        TestPaths.fixtures.appendingPathComponent("engine/\(rawValue).tflite").path
    }

    func interpreter(_ options: Interpreter.Options? = nil) throws -> Interpreter {
        try Interpreter(modelPath: path, options: options)
    }

    func allocated(_ options: Interpreter.Options? = nil) throws -> Interpreter {
        let interpreter = try interpreter(options)
        try interpreter.allocateTensors()
        return interpreter
    }
}

extension Interpreter.Options {
    /// Options with some of them set.
    static func with(_ change: (inout Self) throws -> Void) rethrows -> Self {
        var options = Self()
        try change(&options)
        return options
    }
}

extension Interpreter {
    /// Copies the limit to the second input of `counting_loop` and sets the counter to 0.
    func setLimit(_ limit: Float) throws {
        try copy(Data(elements: [Float(0)]), toInputAt: 0)
        try copy(Data(elements: [limit]), toInputAt: 1)
    }
}

/// The text of a `tensorFlowLiteError`; empty for anything else.
func reason(_ error: (any Error)?) -> String {
    guard case .tensorFlowLiteError(let text)? = error as? InterpreterError else { return "" }
    return text
}

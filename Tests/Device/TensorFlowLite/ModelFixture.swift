import Foundation
import HearthTestSupport
import TensorFlowLite

/// Models of one folder of `Tests/Fixtures`, by file name. The script beside the folder says what each one computes.
protocol ModelFixture: RawRepresentable<String> {
    static var folder: String { get }
}

extension ModelFixture {
    var path: String {
        TestPaths.fixtures.appendingPathComponent("\(Self.folder)/\(rawValue).tflite").path
    }

    func interpreter(_ options: Interpreter.Options? = nil) throws -> Interpreter {
        try Interpreter(modelPath: path, options: options)
    }

    /// With every input resized to `shape` if one is given, and allocated.
    func allocated(_ options: Interpreter.Options? = nil, resizedTo shape: Tensor.Shape? = nil) throws -> Interpreter {
        let interpreter = try interpreter(options)
        if let shape {
            for index in 0..<interpreter.inputTensorCount { try interpreter.resizeInput(at: index, to: shape) }
        }
        try interpreter.allocateTensors()
        return interpreter
    }
}

/// Of `make_models.py`, `make_signature_models.py` and `make_value_models.py`.
enum Fixture: String, ModelFixture {
    case add, add_uint8, add_int8, add_batch, subtract, divide_int32, where_ = "where", where_of_where, where_cast,
        flatten
    case unknown_custom, shared_tensors, strings, signatures, side_signature, per_channel

    static let folder = "models"
}

/// Of `make_engine_models.py`.
enum EngineFixture: String, ModelFixture {
    case dense_1, dense_2, mixed, tanh, counting_loop, endless_loop, unmatched_shapes, future_version

    static let folder = "engine"
}

/// Of `make_original_models.py`.
enum OriginalFixture: String, ModelFixture {
    case no_inputs, bfloat16, places, detector

    static let folder = "original"
}

import Foundation
import HearthModelFile
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

/// Of `make_size_models.py`.
enum SizeFixture: String, ModelFixture {
    case operators, segments, many_segments, chained_segments, top_two, beside_places, beside_places_rank_8, rotation,
        reshaped, reshaped_by_shape, filled, wrong_rank, variable, smaller_variable, mixed_variable, counter,
        kept_sizes, composite

    static let folder = "sizes"

    func modelFile() throws -> ModelFile {
        try ModelFile(ModelBytes(contentsOfFile: path))
    }
}

/// Of `make_scale_models.py`.
enum ScaleFixture: String, ModelFixture, CaseIterable {
    case depthwise, depthwise_last, grouped, transposed, shared

    static let folder = "scales"
}

extension Interpreter {
    /// Copies `elements` to input 0, runs, and returns output 0.
    func run<Element: BitwiseCopyable>(_ elements: [Element]) throws -> [Element] {
        try copy(Data(elements: elements), toInputAt: 0)
        try invoke()
        return try output(at: 0).data.elements(Element.self)
    }

    /// Copies the limit to the second input of `counting_loop` and sets the counter to 0.
    func setLimit(_ limit: Float) throws {
        try copy(Data(elements: [Float(0)]), toInputAt: 0)
        try copy(Data(elements: [limit]), toInputAt: 1)
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

/// The text of a `tensorFlowLiteError`; empty for anything else.
func reason(_ error: (any Error)?) -> String {
    guard case .tensorFlowLiteError(let text)? = error as? InterpreterError else { return "" }
    return text
}

extension Data {
    init<Element: BitwiseCopyable>(elements: [Element]) {
        self = elements.withUnsafeBytes { Data($0) }
    }

    func elements<Element: BitwiseCopyable>(_: Element.Type) -> [Element] {
        withUnsafeBytes { bytes in
            stride(from: 0, to: count, by: MemoryLayout<Element>.size).map {
                bytes.loadUnaligned(fromByteOffset: $0, as: Element.self)
            }
        }
    }
}

import Foundation
import HearthModelFile
import HearthTestSupport
import TensorFlowLite

/// The models of `Tests/Fixtures/models`; `make_models.py` beside them says what each one computes.
enum Fixture: String {
    case add, add_uint8, add_int8, add_batch, subtract, divide_int32, where_ = "where", where_of_where, where_cast,
        flatten
    case unknown_custom, shared_tensors, strings, signatures, side_signature

    var path: String {
        TestPaths.fixtures.appendingPathComponent("models/\(rawValue).tflite").path
    }

    func interpreter(_ options: Interpreter.Options? = nil) throws -> Interpreter {
        try Interpreter(modelPath: path, options: options)
    }

    /// With every input resized to `shape` if one is given, and allocated.
    func allocated(resizedTo shape: Tensor.Shape? = nil) throws -> Interpreter {
        let interpreter = try interpreter()
        if let shape {
            for index in 0..<interpreter.inputTensorCount { try interpreter.resizeInput(at: index, to: shape) }
        }
        try interpreter.allocateTensors()
        return interpreter
    }
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

extension Interpreter {
    /// Copies `elements` to input 0, runs, and returns output 0.
    func run<Element: BitwiseCopyable>(_ elements: [Element]) throws -> [Element] {
        try copy(Data(elements: elements), toInputAt: 0)
        try invoke()
        return try output(at: 0).data.elements(Element.self)
    }
}

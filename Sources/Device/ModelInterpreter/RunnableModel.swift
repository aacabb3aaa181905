import Foundation
import HearthModelFile
import TensorFlowLite

/// A model that is loaded and ready to run. Only one thread at a time may use it, like its interpreter.
final class RunnableModel {
    let interface: ModelInterface
    private let interpreter: Interpreter

    init(path: String) throws(NSError) {
        do {
            let file = try ModelFile(ModelBytes(contentsOfFile: path))
            interpreter = try Interpreter(model: file)
            interface = ModelInterface(file.graph)
        } catch let error as ModelFileError {
            let code: MachineLearningErrorDomainCode = error.code == .notFound ? .notFound : .failedPrecondition
            throw Self.loadingError(code, path, error)
        } catch {
            throw Self.loadingError(.failedPrecondition, path, error)
        }
    }

    /// Whether an error of `init` means that the engine refuses the model. Its other errors may come from a lack of
    /// memory.
    static func isRefusal(_ cause: any Error) -> Bool {
        if case InterpreterError.tensorFlowLiteError = cause { true } else { false }
    }

    /// Runs the model on a request that has passed its own check.
    /// - Returns: Nested arrays by index, as many as the request has output formats.
    func run(_ request: RunRequest) throws -> [UInt: any Sendable] {
        try interface.check(request.formats)
        try prepare(request.formats.inputs)
        for (index, value) in request.inputs.enumerated() {
            guard let format = request.formats.inputs[UInt(index)] else { continue }
            try write(value, to: index, format)
        }
        try engine(.unknown, "The model returned no output") { try interpreter.invoke() }
        var outputs: [UInt: any Sendable] = [:]
        for (index, format) in request.formats.outputs { outputs[index] = try output(Int(index), format) }
        return outputs
    }

    /// Resizes the inputs to their declared dimensions. Costs nothing where they already have them.
    private func prepare(_ formats: [UInt: TensorFormat]) throws {
        for (index, format) in formats where !interface.inputs[Int(index)].declaredShape.isEmpty {
            try engine(.internal, "Input \(index) cannot have the dimensions \(format.dimensions)") {
                try interpreter.resizeInput(at: Int(index), to: Tensor.Shape(format.dimensions))
            }
        }
        let hasOpenDimensions = interface.inputs.contains { $0.declaredShape.contains { $0 < 0 } }
        try engine(
            hasOpenDimensions ? .invalidArgument : .internal, "The model cannot be prepared for the declared dimensions"
        ) { try interpreter.allocateTensors() }
    }

    private func write(_ value: InputValue, to index: Int, _ format: TensorFormat) throws {
        try engine(.internal, "Input \(index) cannot be found") {
            try interpreter.withUnsafeMutableInputBytes(at: index) { target in
                guard target.count == format.byteCount else {
                    throw MachineLearningError.make(
                        .internal, "Input \(index) has \(target.count) bytes instead of \(format.byteCount).")
                }
                switch value {
                case .data(let data): data.copyBytes(to: target)
                case .array(let array):
                    try format.element.write(array, input: index, dimensions: format.dimensions, into: target)
                }
            }
        }
    }

    private func output(_ index: Int, _ format: TensorFormat) throws -> any Sendable {
        try engine(.unknown, "Output \(index) cannot be found") {
            let shape = try interpreter.outputDescription(at: index).shape.dimensions
            guard shape == format.dimensions || (shape.isEmpty && format.dimensions == [1]) else {
                throw MachineLearningError.make(
                    .invalidArgument,
                    """
                    Output \(index) is declared with the dimensions \(format.dimensions), but the model returned \
                    \(shape).
                    """
                )
            }
            return try interpreter.withUnsafeOutputBytes(at: index) { bytes in
                guard bytes.count == format.byteCount else {
                    throw MachineLearningError.make(
                        .unknown, "Output \(index) has \(bytes.count) bytes instead of \(format.byteCount).")
                }
                return format.element.nestedArray(bytes, dimensions: format.dimensions)
            }
        }
    }

    /// The one place where the engine's errors become errors of this module; other errors pass unchanged.
    private func engine<Result>(
        _ code: MachineLearningErrorDomainCode, _ what: String, _ step: () throws -> Result
    ) throws -> Result {
        do {
            return try step()
        } catch let error as InterpreterError {
            throw MachineLearningError.make(code, "\(what): \(error.description)", underlying: error)
        }
    }

    private static func loadingError(
        _ code: MachineLearningErrorDomainCode, _ path: String, _ error: any Error
    ) -> NSError {
        MachineLearningError.make(
            code, "Failed to create a TFLite interpreter for the given model '\(path)': \(error)", underlying: error)
    }
}

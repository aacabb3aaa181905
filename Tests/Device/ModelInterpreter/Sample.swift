import Foundation
import HearthModelInterpreter
import HearthTestSupport

/// A model of the fixtures with the formats that it takes.
struct Sample {
    /// Three times its input, float32 `[-1, 2]`.
    static let batch = Sample("models/add_batch", .float32, [1, 2])
    /// Three times its input, float32 `[1, 8, 8, 3]`.
    static let image = Sample("models/add", .float32, [1, 8, 8, 3])
    /// Three times its input, at most 255, uint8 `[1, 8, 8, 3]`.
    static let byteImage = Sample("models/add_uint8", .uInt8, [1, 8, 8, 3])
    /// left - right, float32 `[2]`.
    static let subtract = Sample("models/subtract", .float32, [2], inputCount: 2)
    /// left / right, int32 `[2]`.
    static let divide = Sample("models/divide_int32", .int32, [2], inputCount: 2)
    /// left + right, int64 `[1, 2]`.
    static let int64 = Sample("model_interpreter/int64", .int64, [1, 2], inputCount: 2)
    /// left + right, one float32 each, without dimensions.
    static let scalar = Sample("model_interpreter/scalar", .float32, [1], inputCount: 2)
    /// left + right, float32 `[-1, 2]`.
    static let open = Sample("model_interpreter/open", .float32, [1, 2], inputCount: 2)
    /// left + right, float32 `[1, 1, 1, 1, 1, 1, 1, 2]`.
    static let rank8 = Sample("model_interpreter/rank_8", .float32, [1, 1, 1, 1, 1, 1, 1, 2], inputCount: 2)

    let path: String
    var inputFormats: [UInt: (type: ModelElementType, dimensions: [NSNumber])] = [:]
    var outputFormats: [UInt: (type: ModelElementType, dimensions: [NSNumber])] = [:]

    init(_ name: String, _ type: ModelElementType, _ dimensions: [NSNumber], inputCount: UInt = 1) {
        path = Sample.path(name)
        for index in 0..<inputCount { inputFormats[index] = (type, dimensions) }
        outputFormats[0] = (type, dimensions)
    }

    static func path(_ name: String) -> String {
        TestPaths.fixtures.appendingPathComponent("\(name).tflite").path
    }

    func with(_ change: (inout Sample) -> Void) -> Sample {
        var changed = self
        change(&changed)
        return changed
    }

    func with(dimensions: [NSNumber]) -> Sample {
        with { sample in
            for index in sample.inputFormats.keys { sample.inputFormats[index]?.dimensions = dimensions }
            for index in sample.outputFormats.keys { sample.outputFormats[index]?.dimensions = dimensions }
        }
    }

    func interpreter() -> ModelInterpreter {
        ModelInterpreter.modelInterpreter(localModel: CustomLocalModel(modelPath: path))
    }

    func options() throws -> ModelInputOutputOptions {
        let options = ModelInputOutputOptions()
        for (index, format) in inputFormats {
            try options.setInputFormat(index: index, type: format.type, dimensions: format.dimensions)
        }
        for (index, format) in outputFormats {
            try options.setOutputFormat(index: index, type: format.type, dimensions: format.dimensions)
        }
        return options
    }

    /// Output 0 of a run on `values`, with an interpreter of its own unless one is given.
    func run(_ values: Any..., on interpreter: ModelInterpreter? = nil) async throws -> Any {
        let outputs = try await (interpreter ?? self.interpreter()).run(inputs: inputs(values), options: options())
        return try outputs.output(index: 0)
    }

    /// Why a run on `values` fails; nil when it does not.
    func error(_ values: Any..., on interpreter: ModelInterpreter? = nil) async -> NSError? {
        do {
            let inputs = try inputs(values)
            try await (interpreter ?? self.interpreter()).run(inputs: inputs, options: options())
            return nil
        } catch {
            return error as NSError
        }
    }

    private func inputs(_ values: [Any]) throws -> ModelInputs {
        let inputs = ModelInputs()
        for value in values { try inputs.addInput(value) }
        return inputs
    }
}

extension Data {
    init<Element: BitwiseCopyable>(elements: [Element]) {
        self = elements.withUnsafeBytes { Data($0) }
    }
}

extension Array {
    func rows(of length: Int) -> [[Element]] {
        stride(from: 0, to: count, by: length).map { Array(self[$0..<$0 + length]) }
    }
}

extension NSError {
    var machineLearningCode: MachineLearningErrorDomainCode? {
        domain == MachineLearningErrorDomain ? MachineLearningErrorDomainCode(rawValue: code) : nil
    }
}

/// What `step` throws, which must be an `NSError` as it is: on Linux a cast makes one of every error.
func failure(_ step: () throws -> Void) -> NSError? {
    do {
        try step()
        return nil
    } catch {
        return type(of: error) == NSError.self ? error as NSError : nil
    }
}

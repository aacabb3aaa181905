import Foundation
import HearthModelFile
import TensorFlowLite

/// A model with the inputs of some runs, as `scripts/soak run-time-sizes` writes them: the four letters, the model, and for each
/// run the shape and the bytes of each input. Numbers have 32 bits and are little-endian; each list stands behind its length.
struct ModelRuns {
    /// What no model begins with.
    private static let start = Data("RUNS".utf8)

    private let model: Data
    private let runs: [[Input]]

    private struct Input {
        let shape: Tensor.Shape
        let bytes: Data
    }

    /// nil where `message` is only a model.
    init?(_ message: Data) {
        guard message.starts(with: Self.start) else { return nil }
        var reader = Reader(rest: message.dropFirst(Self.start.count))
        model = reader.bytes()
        runs = reader.list { run in
            run.list { input in Input(shape: Tensor.Shape(input.list { $0.number() }), bytes: input.bytes()) }
        }
    }

    /// - Returns: `refused`, `unloadable` or `failed`, and why; or `ran`, and the outputs of each run behind a bar: type, shape and
    ///   bytes in Base64. A shape that an input does not have yet is given to it.
    func answer() -> String {
        do {
            try ModelFile(ModelBytes(copying: model)).checkForLoading()
        } catch {
            return "refused \(error.code.rawValue) \(ModelExercise.oneLine(error.message))"
        }
        let interpreter: Interpreter
        do {
            var options = Interpreter.Options()
            options.threadCount = 1
            interpreter = try Interpreter(modelData: model, options: options)
        } catch {
            return "unloadable \(ModelExercise.oneLine("\(error)"))"
        }
        var answer = "ran"
        for inputs in runs {
            do {
                answer += " | " + (try run(inputs, in: interpreter)).joined(separator: " ")
            } catch {
                return "failed \(ModelExercise.oneLine("\(error)"))"
            }
        }
        return answer
    }

    private func run(_ inputs: [Input], in interpreter: Interpreter) throws -> [String] {
        for (place, input) in inputs.enumerated()
        where try interpreter.inputDescription(at: place).shape != input.shape {
            try interpreter.resizeInput(at: place, to: input.shape)
        }
        try interpreter.allocateTensors()
        for (place, input) in inputs.enumerated() { try interpreter.copy(input.bytes, toInputAt: place) }
        try interpreter.invoke()
        return try (0..<interpreter.outputTensorCount).map { place in
            let output = try interpreter.output(at: place)
            let shape = output.shape.dimensions.map(String.init).joined(separator: ",")
            return "\("\(output.dataType)".lowercased())[\(shape)]:\(output.data.base64EncodedString())"
        }
    }
}

/// Traps at the end: the campaign writes whole messages.
private struct Reader {
    var rest: Data

    mutating func number() -> Int {
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func bytes() -> Data {
        let count = number()
        defer { rest = rest.dropFirst(count) }
        return Data(rest.prefix(count))
    }

    mutating func list<Element>(_ element: (inout Reader) -> Element) -> [Element] {
        (0..<number()).map { _ in element(&self) }
    }
}

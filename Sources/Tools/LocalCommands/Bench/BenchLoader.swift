import Foundation
import HearthModelFile
import TensorFlowLite

/// Makes a model ready to run, and times it.
struct BenchLoader {
    /// How long each step took.
    struct Times {
        /// Reading the file and its structure.
        var open = Duration.zero
        /// The check for loading, and the engine's own preparation.
        var compile = Duration.zero
        /// Memory for the tensors, in the shapes that were asked for.
        var allocate = Duration.zero

        var total: Duration { open + compile + allocate }
    }

    struct Loaded {
        let interpreter: Interpreter
        let subject: any BenchSubject
        let times: Times
        let modelByteCount: Int
    }

    let path: String
    let signature: String?
    let shapes: [InputShape]

    /// - Throws: An error whose text need not name the model.
    func load(_ options: Interpreter.Options) throws -> Loaded {
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure("There is no file or folder \(path).")
        }
        var times = Times()
        let model = try Self.time(&times.open) { try ModelBundle(path: path).model }
        let chosen = try signature.map { try named($0, in: model.graph) }
        let interpreter = try Self.time(&times.compile) { try Interpreter(model: model, options: options) }
        let subject = try Self.time(&times.allocate) {
            let subject = try Self.subject(interpreter, chosen, model.graph)
            try resize(subject)
            try allocate(subject)
            return subject
        }
        return Loaded(
            interpreter: interpreter, subject: subject, times: times, modelByteCount: model.bytes.count)
    }

    /// What the engine says, without the name of the library in front.
    static func reason(of error: any Error) -> String {
        if case InterpreterError.tensorFlowLiteError(let reason) = error { return reason }
        return "\(error)"
    }

    private static func time<Result>(_ duration: inout Duration, _ body: () throws -> Result) rethrows -> Result {
        let start = ContinuousClock.now
        defer { duration = ContinuousClock.now - start }
        return try body()
    }

    private static func subject(
        _ interpreter: Interpreter, _ signature: ModelGraph.Signature?, _ graph: ModelGraph
    ) throws -> any BenchSubject {
        guard let signature else { return InterpreterSubject(interpreter, graph) }
        return try SignatureSubject(interpreter, signature, graph)
    }

    private func named(_ key: String, in graph: ModelGraph) throws(CommandFailure) -> ModelGraph.Signature {
        if let signature = graph.signatures.first(where: { $0.key == key }) { return signature }
        let known = graph.signatures.map { "'\($0.key)'" }.joined(separator: ", ")
        throw CommandFailure(
            known.isEmpty
                ? "The model has no signatures; leave --signature out."
                : "The model has no signature '\(key)'. Its signatures are: \(known).")
    }

    private func resize(_ subject: any BenchSubject) throws {
        let names = subject.inputs.map(\.name)
        for shape in shapes {
            let place = try shape.place(among: names)
            do {
                try subject.resize(inputAt: place, to: Tensor.Shape(shape.dimensions))
            } catch {
                let text = shape.dimensions.map(String.init).joined(separator: "x")
                throw CommandFailure(
                    "The input '\(shape.input)' cannot have the shape \(text). Give it one to eight sizes, less than "
                        + "2 GiB in all; 'hearth inspect' shows which of them the model leaves open.")
            }
        }
    }

    private func allocate(_ subject: any BenchSubject) throws {
        do {
            try subject.allocate()
        } catch  where !shapes.isEmpty {
            throw CommandFailure("The model cannot run with the shapes given: \(Self.reason(of: error))")
        }
    }
}

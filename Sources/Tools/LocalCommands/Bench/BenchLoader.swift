import Foundation
import HearthModelFile
import TensorFlowLite

/// Prepares a model for running, and times the steps.
struct BenchLoader {
    /// The time of each step.
    struct Times {
        /// Reading the file and its structure.
        var open = Duration.zero
        /// The validation before loading, and the engine's own preparation.
        var compile = Duration.zero
        /// Memory for the tensors, in the given shapes.
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

    /// - Throws: an error whose text need not name the model.
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

    /// The engine's message, without the library's name at the beginning.
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
                ? "The model has no signatures; omit --signature."
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
                        + "2 GiB in all; 'hearth inspect' shows which sizes the model leaves open.",
                    cause: error)
            }
        }
    }

    private func allocate(_ subject: any BenchSubject) throws {
        do {
            try subject.allocate()
        } catch  where !shapes.isEmpty {
            throw CommandFailure("The model cannot run with the shapes given: \(Self.reason(of: error))", cause: error)
        }
    }
}

/// The measured graph: a model's main subgraph or one of its signatures, with memory for its tensors.
protocol BenchSubject {
    var inputs: [BenchInput] { get }
    /// Call ``allocate()`` afterwards.
    func resize(inputAt place: Int, to shape: Tensor.Shape) throws
    func allocate() throws
    func shape(ofInputAt place: Int) throws -> Tensor.Shape
    func withInputBytes(at place: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Void) throws
    func invoke() throws
}

/// An input in the file.
struct BenchInput {
    let name: String
    let tensor: ModelGraph.Tensor
}

/// A model's main subgraph.
struct InterpreterSubject: BenchSubject {
    let interpreter: Interpreter
    let inputs: [BenchInput]

    init(_ interpreter: Interpreter, _ graph: ModelGraph) {
        self.interpreter = interpreter
        let main = graph.subgraphs[0]
        inputs = main.inputs.map { BenchInput(name: main.tensors[$0].name ?? "", tensor: main.tensors[$0]) }
    }

    func resize(inputAt place: Int, to shape: Tensor.Shape) throws { try interpreter.resizeInput(at: place, to: shape) }

    func allocate() throws { try interpreter.allocateTensors() }

    func shape(ofInputAt place: Int) throws -> Tensor.Shape { try interpreter.inputDescription(at: place).shape }

    func withInputBytes(at place: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
        try interpreter.withUnsafeMutableInputBytes(at: place, body)
    }

    func invoke() throws { try interpreter.invoke() }
}

/// One signature of a model. Its inputs are in the order of the file.
struct SignatureSubject: BenchSubject {
    let runner: SignatureRunner
    let inputs: [BenchInput]

    init(_ interpreter: Interpreter, _ signature: ModelGraph.Signature, _ graph: ModelGraph) throws {
        runner = try interpreter.signatureRunner(with: signature.key)
        let tensors = graph.subgraphs[signature.subgraph].tensors
        inputs = signature.inputs.map { BenchInput(name: $0.name, tensor: tensors[$0.tensor]) }
    }

    func resize(inputAt place: Int, to shape: Tensor.Shape) throws {
        try runner.resizeInput(named: inputs[place].name, toShape: shape)
    }

    func allocate() throws { try runner.allocateTensors() }

    func shape(ofInputAt place: Int) throws -> Tensor.Shape {
        try runner.inputDescription(named: inputs[place].name).shape
    }

    func withInputBytes(at place: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
        try runner.withUnsafeMutableInputBytes(named: inputs[place].name, body)
    }

    func invoke() throws { try runner.invoke(with: [:]) }
}

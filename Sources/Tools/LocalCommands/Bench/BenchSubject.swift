import HearthModelFile
import TensorFlowLite

/// What is measured: a model's main subgraph or one of its signatures, with memory for its tensors.
protocol BenchSubject {
    var inputs: [BenchInput] { get }
    /// To be followed by ``allocate()``.
    func resize(inputAt place: Int, to shape: Tensor.Shape) throws
    func allocate() throws
    func shape(ofInputAt place: Int) throws -> Tensor.Shape
    func withInputBytes(at place: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Void) throws
    func invoke() throws
}

/// An input as the file tells of it.
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

/// One signature of a model. Its inputs come in the order of the file.
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

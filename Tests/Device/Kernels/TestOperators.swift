import Foundation
import HearthModelFile
import HearthTestSupport

@testable import HearthKernels

extension ReferenceRun {
    /// LSTM, RNN, SVDF, and the first two over sequences.
    static let codes: Set<Int> = [16, 24, 27, 35, 44]

    static func model(_ name: String) throws -> ModelFile {
        try ModelFile(ModelBytes(contentsOfFile: folder.appendingPathComponent("\(name).tflite").path))
    }

    /// The operator, ready for the inputs' shape.
    static func prepared(_ name: String) throws -> RecurrentOperator {
        let kernel = try RecurrentOperator(model(name), subgraph: 0, operator: 0)
        _ = try kernel.prepare(inputShape: named(name).inputShape)
        return kernel
    }
}

extension RecurrentOperator {
    /// One run over copies at aligned addresses.
    func answer(to input: Data, outputBytes: Int) throws -> Data {
        let source = UnsafeMutableRawBufferPointer.allocate(byteCount: input.count, alignment: 64)
        let target = UnsafeMutableRawBufferPointer.allocate(byteCount: outputBytes, alignment: 64)
        defer {
            source.deallocate()
            target.deallocate()
        }
        source.copyBytes(from: input)
        target.initializeMemory(as: UInt8.self, repeating: 0xA5)
        try run(input: UnsafeRawBufferPointer(source), output: target)
        return Data(target)
    }
}

extension Data {
    var floats: [Float] {
        withUnsafeBytes { bytes in
            stride(from: 0, to: count, by: 4).map { bytes.loadUnaligned(fromByteOffset: $0, as: Float.self) }
        }
    }
}

/// An operator out of a sound model, whose graph a test may break.
struct BrokenOperator {
    let bytes: ModelBytes
    var graph: ModelGraph

    init(_ name: String) throws {
        let model = try ReferenceRun.model(name)
        bytes = model.bytes
        graph = model.graph
    }

    init(bytes: ModelBytes, graph: ModelGraph) {
        self.bytes = bytes
        self.graph = graph
    }

    var node: ModelGraph.Operator {
        get { graph.subgraphs[0].operators[0] }
        set { graph.subgraphs[0].operators[0] = newValue }
    }

    /// Slots that are not left out.
    var slots: [Int] { node.inputs.indices.filter { node.inputs[$0] != -1 } }

    /// The tensor in an input slot.
    subscript(slot: Int) -> ModelGraph.Tensor {
        get { graph.subgraphs[0].tensors[node.inputs[slot]] }
        set { graph.subgraphs[0].tensors[node.inputs[slot]] = newValue }
    }

    @discardableResult
    func load() throws(ModelFileError) -> RecurrentOperator {
        try RecurrentOperator(OperatorReader(bytes, graph, subgraph: 0, operator: 0))
    }
}

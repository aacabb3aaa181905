import HearthModelFile
import HearthTestSupport

@testable import HearthKernels

/// An operator out of a sound model, whose graph a test may break.
struct BrokenOperator {
    let bytes: ModelBytes
    var graph: ModelGraph

    init(_ name: String) throws {
        let model = try EngineAnswer.model(name)
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

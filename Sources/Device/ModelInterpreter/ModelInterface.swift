import HearthModelFile

/// The inputs and outputs of a model's main graph as its file describes them, and the check that declared formats fit
/// them.
struct ModelInterface: Sendable {
    let inputs: [ModelGraph.Tensor]
    let outputs: [ModelGraph.Tensor]

    init(_ graph: ModelGraph) {
        let main = graph.subgraphs.first
        inputs = main.map { main in main.inputs.map { main.tensors[$0] } } ?? []
        outputs = main.map { main in main.outputs.map { main.tensors[$0] } } ?? []
    }

    func check(_ formats: ModelInputOutputOptions.Formats) throws {
        guard !outputs.isEmpty else {
            throw MachineLearningError.make(.unknown, "The model has no outputs.")
        }
        try Self.check(formats.inputs.keys, kind: "input", count: inputs.count)
        try Self.check(formats.outputs.keys, kind: "output", count: outputs.count)
        guard formats.inputs.count == inputs.count else {
            throw MachineLearningError.make(
                .invalidArgument, "The model takes \(inputs.count) inputs, but got \(formats.inputs.count).")
        }
        for (index, format) in formats.inputs.sorted(by: { $0.key < $1.key }) {
            let tensor = inputs[Int(index)]
            try Self.check(format.type, tensor, "Input \(index)")
            guard tensor.accepts(format.dimensions) else {
                throw MachineLearningError.make(
                    .invalidArgument,
                    """
                    Input \(index) is declared with the dimensions \(format.dimensions), but the model's has \
                    \(tensor.declaredShape).\(Self.remedy(tensor, format.dimensions))
                    """)
            }
        }
        for (index, format) in formats.outputs.sorted(by: { $0.key < $1.key }) {
            try Self.check(format.type, outputs[Int(index)], "Output \(index)")
        }
    }

    /// Advice for a batch whose size differs from the model's. Hearth does not split it, because a model's result for
    /// one item may depend on the others, or on the run before.
    private static func remedy(_ tensor: ModelGraph.Tensor, _ dimensions: [Int]) -> String {
        let wanted = tensor.declaredShape
        guard let size = wanted.first, wanted.count > 1, wanted.count == dimensions.count,
            wanted.dropFirst() == dimensions.dropFirst()
        else { return "" }
        return
            " Its batch is fixed: run it for \(size == 1 ? "one item" : "\(size) items") at a time, or convert the "
            + "model with an open first dimension."
    }

    private static func check(_ indexes: some Collection<UInt>, kind: String, count: Int) throws {
        guard let highest = indexes.max(), highest >= UInt(count) else { return }
        throw MachineLearningError.make(
            .outOfRange,
            "The options name \(kind) \(highest), counted from 0, but the model has only \(count) \(kind)\(count == 1 ? "" : "s")."
        )
    }

    private static func check(_ type: ModelElementType, _ tensor: ModelGraph.Tensor, _ name: String) throws {
        guard type.fileType == tensor.type else {
            throw MachineLearningError.make(
                .invalidArgument, "\(name) is declared as \(type), but in the model it has \(tensor.type) elements.")
        }
    }

    func inputIndex(of name: String) throws -> Int {
        try Self.index(of: name, in: inputs, kind: "input")
    }

    func outputIndex(of name: String) throws -> Int {
        try Self.index(of: name, in: outputs, kind: "output")
    }

    private static func index(of name: String, in tensors: [ModelGraph.Tensor], kind: String) throws -> Int {
        if let index = tensors.firstIndex(where: { $0.name == name }) { return index }
        let names = tensors.prefix(8).map { "'\($0.name ?? "")'" }.joined(separator: ", ")
        throw MachineLearningError.make(
            .invalidArgument, "The model has no \(kind) called '\(name)'; it has \(names).")
    }
}

extension ModelGraph.Tensor {
    /// The shape, with -1 where the model leaves a dimension open.
    var declaredShape: [Int] {
        guard let shapeSignature, shapeSignature.count == shape.count else { return shape }
        return shapeSignature
    }

    /// Whether the model accepts an input of these dimensions. A single number has no dimensions in a model, and `[1]`
    /// in options.
    func accepts(_ dimensions: [Int]) -> Bool {
        let wanted = declaredShape
        if wanted.isEmpty { return dimensions == [1] }
        return wanted.count == dimensions.count && zip(wanted, dimensions).allSatisfy { $0 < 0 || $0 == $1 }
    }
}

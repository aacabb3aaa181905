/// What the model is to become: its graph after the changes, and which parts of it have to be written anew.
struct RewritePlan {
    private(set) var graph: ModelGraph
    private(set) var subgraphs: [Subgraph]
    private(set) var hasNewSignatures = false
    /// Operator codes behind those of the file.
    private(set) var newCodes: [OperatorCode] = []
    /// Buffers behind those of the file: the constant of EXPAND_DIMS, then one without bytes.
    private(set) var newBuffers: [[UInt8]] = []

    private let bufferCount: Int
    private let codeCount: Int
    private var expandCode: Int?
    private var expansionCount = 0

    struct Subgraph {
        /// Operators of the file that are written anew.
        var replacedOperators: Set<Int> = []
        var clearedTensors: Set<Int> = []
        /// By number of a new tensor: the tensor of the file whose quantization it has.
        var quantizationSources: [Int: Int] = [:]
        var hasNewOutputs = false
        /// The tensor that tells EXPAND_DIMS where to put the new dimension.
        var axis: Int?
        var names: TensorNames
    }

    struct OperatorCode {
        let builtin: Int
        let custom: String?
    }

    private static let expandDims = (code: 70, name: "EXPAND_DIMS")
    /// Far above what models have; keeps the work on files that are made to be slow small.
    private static let largestExpansionCount = 1000

    init(_ graph: ModelGraph, bufferCount: Int, codeCount: Int) {
        self.graph = graph
        self.bufferCount = bufferCount
        self.codeCount = codeCount
        subgraphs = graph.subgraphs.map { Subgraph(names: TensorNames(of: $0.tensors)) }
    }

    mutating func apply(_ change: ModelRewrite.Change) throws(ModelFileError) {
        switch change {
        case .replaceOperator(let number, let subgraph, let code, let inputs):
            try replaceOperator(number, subgraph, code, inputs)
        case .clearVariable(let tensor, let subgraph):
            try requireTensor(tensor, subgraph)
            graph.subgraphs[subgraph].tensors[tensor].isVariable = false
            subgraphs[subgraph].clearedTensors.insert(tensor)
        case .expandOutput(let output, let subgraph): try expandOutput(output, subgraph)
        case .setSignatures(let signatures):
            for signature in signatures {
                try requireSubgraph(signature.subgraph)
                for named in signature.inputs + signature.outputs {
                    try requireTensor(named.tensor, signature.subgraph)
                }
            }
            graph.signatures = signatures
            hasNewSignatures = true
        }
    }

    // MARK: Operators

    private mutating func replaceOperator(
        _ number: Int, _ subgraph: Int, _ code: String, _ inputs: [Int]
    ) throws(ModelFileError) {
        try requireSubgraph(subgraph)
        try Self.require(number, graph.subgraphs[subgraph].operators.indices, "operator", subgraph)
        for input in inputs { try requireTensor(input, subgraph) }
        let outputs = graph.subgraphs[subgraph].operators[number].outputs
        let codeIndex = addCode(OperatorCode(builtin: BuiltinOperator.custom, custom: code))
        graph.subgraphs[subgraph].operators[number] = .init(
            codeIndex: codeIndex, code: BuiltinOperator.custom, name: code, inputs: inputs, outputs: outputs)
        subgraphs[subgraph].replacedOperators.insert(number)
    }

    /// - Returns: The new code's index.
    private mutating func addCode(_ code: OperatorCode) -> Int {
        newCodes.append(code)
        return codeCount + newCodes.count - 1
    }

    // MARK: Outputs

    private mutating func expandOutput(_ output: Int, _ subgraph: Int) throws(ModelFileError) {
        try requireSubgraph(subgraph)
        try Self.require(output, graph.subgraphs[subgraph].outputs.indices, "output", subgraph)
        expansionCount += 1
        guard expansionCount <= Self.largestExpansionCount else {
            throw ModelFileError(
                .tooLarge, "a rewrite expands at most \(Self.largestExpansionCount) outputs of a model")
        }
        let old = graph.subgraphs[subgraph].outputs[output]
        try requireTensor(old, subgraph)
        let expanded = try expandedTensor(of: old, in: subgraph)
        let axis = addAxis(to: subgraph)
        let new = add(expanded, to: subgraph)
        subgraphs[subgraph].quantizationSources[new] = subgraphs[subgraph].quantizationSources[old] ?? old
        let codeIndex = expandCode ?? addCode(OperatorCode(builtin: Self.expandDims.code, custom: nil))
        expandCode = codeIndex
        graph.subgraphs[subgraph].operators.append(
            .init(
                codeIndex: codeIndex, code: Self.expandDims.code, name: Self.expandDims.name, inputs: [old, axis],
                outputs: [new]))
        // Which of the names that stand for one tensor means which output is not said: they count in the same order.
        let occurrence = graph.subgraphs[subgraph].outputs[..<output].count { $0 == old }
        renameOutput(old, occurrence: occurrence, to: new, inSignaturesOf: subgraph)
        graph.subgraphs[subgraph].outputs[output] = new
        subgraphs[subgraph].hasNewOutputs = true
    }

    private mutating func expandedTensor(of number: Int, in subgraph: Int) throws(ModelFileError) -> ModelGraph.Tensor {
        let name = graph.text(tensor: number, in: subgraph)
        var tensor = graph.subgraphs[subgraph].tensors[number]
        guard tensor.shape.count < LoadingCheck.largestRank else {
            throw ModelFileError(.unsupported, "\(name) has eight dimensions; there can be no ninth in front of them")
        }
        tensor.name = subgraphs[subgraph].names.unused("expanded output")
        // Some exporters write a list without numbers where they know all of the shape.
        if tensor.shapeSignature?.isEmpty == true { tensor.shapeSignature = nil }
        tensor.shapeSignature?.insert(1, at: 0)
        tensor.shape.insert(1, at: 0)
        tensor.buffer = bufferCount + 1
        tensor.data = nil
        tensor.isVariable = false
        tensor.externalBuffer = 0
        if let quantization = tensor.quantization, quantization.scales.count > 1 {
            guard quantization.dimension < Int32.max else {
                throw ModelFileError(.malformed, "the model is damaged: \(name) is quantized along an absurd dimension")
            }
            tensor.quantization?.dimension += 1
        }
        return tensor
    }

    /// One for each subgraph, because tensors cannot be shared; the constant itself is.
    private mutating func addAxis(to subgraph: Int) -> Int {
        if let axis = subgraphs[subgraph].axis { return axis }
        newBuffers = [[0, 0, 0, 0], []]
        let axis = add(
            ModelGraph.Tensor(
                name: subgraphs[subgraph].names.unused("expanded axis"), shape: [1], shapeSignature: nil,
                type: .int32, buffer: bufferCount, data: nil, quantization: nil, isVariable: false, externalBuffer: 0),
            to: subgraph)
        subgraphs[subgraph].axis = axis
        return axis
    }

    private mutating func add(_ tensor: ModelGraph.Tensor, to subgraph: Int) -> Int {
        graph.subgraphs[subgraph].tensors.append(tensor)
        return graph.subgraphs[subgraph].tensors.count - 1
    }

    private mutating func renameOutput(_ old: Int, occurrence: Int, to new: Int, inSignaturesOf subgraph: Int) {
        for index in graph.signatures.indices where graph.signatures[index].subgraph == subgraph {
            let outputs = graph.signatures[index].outputs
            let matches = outputs.indices.filter { outputs[$0].tensor == old }
            guard occurrence < matches.count else { continue }
            graph.signatures[index].outputs[matches[occurrence]].tensor = new
            hasNewSignatures = true
        }
    }

    // MARK: Indices

    private func requireSubgraph(_ subgraph: Int) throws(ModelFileError) {
        guard graph.subgraphs.indices.contains(subgraph) else {
            throw ModelFileError(.invalidRewrite, "the model has no subgraph \(subgraph) to rewrite")
        }
    }

    private func requireTensor(_ tensor: Int, _ subgraph: Int) throws(ModelFileError) {
        try requireSubgraph(subgraph)
        try Self.require(tensor, graph.subgraphs[subgraph].tensors.indices, "tensor", subgraph)
    }

    private static func require(
        _ index: Int, _ valid: Range<Int>, _ kind: String, _ subgraph: Int
    ) throws(ModelFileError) {
        guard valid.contains(index) else {
            throw ModelFileError(
                .invalidRewrite, "subgraph \(subgraph) has no \(kind) \(index) to rewrite, only \(valid.count) of them")
        }
    }
}

extension ModelGraph.Operator {
    /// Without options and state.
    fileprivate init(codeIndex: Int, code: Int, name: String, inputs: [Int], outputs: [Int]) {
        self.init(
            codeIndex: codeIndex, builtinCode: code, name: name, version: 1, inputs: inputs, outputs: outputs,
            intermediates: [], mutatesInputs: false, calledSubgraphs: [])
    }
}

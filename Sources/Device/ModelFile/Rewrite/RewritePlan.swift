/// What the model is to become: its graph after the changes, and which parts of it have to be written anew.
struct RewritePlan {
    private(set) var graph: ModelGraph
    private(set) var subgraphs: [Subgraph]
    private(set) var hasNewSignatures = false
    /// Operator codes behind those of the file.
    private(set) var newCodes: [OperatorCode] = []
    /// Contents of buffers behind those of the file.
    private(set) var newBuffers: [[UInt8]] = []

    private let bufferCount: Int
    private let codeCount: Int
    private var builtinCodes: [Int: Int] = [:]
    private var diversionCount = 0

    struct Subgraph {
        /// Operators of the file that are written anew.
        var replacedOperators: Set<Int> = []
        var clearedTensors: Set<Int> = []
        var hasNewOutputs = false
        /// Constants made for this subgraph, by their numbers.
        var constants: [Int32: Int] = [:]
        var names: TensorNames
    }

    struct OperatorCode {
        let builtin: Int
        let custom: String?
    }

    /// Far above what models have; keeps the work on files that are made to be slow small.
    private static let largestDiversionCount = 1000

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
        case .divertOutput(let output, let subgraph, let code): try divertOutput(output, subgraph, code)
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

    private mutating func divertOutput(_ output: Int, _ subgraph: Int, _ code: String) throws(ModelFileError) {
        try requireSubgraph(subgraph)
        try Self.require(output, graph.subgraphs[subgraph].outputs.indices, "output", subgraph)
        diversionCount += 1
        guard diversionCount <= Self.largestDiversionCount else {
            throw ModelFileError(
                .tooLarge, "a rewrite diverts at most \(Self.largestDiversionCount) outputs of a model")
        }
        let old = graph.subgraphs[subgraph].outputs[output]
        try requireTensor(old, subgraph)
        let marker = try addDiversion(of: old, in: subgraph, to: code)
        // Which of the names that stand for one tensor means which output is not said: they count in the same order.
        let occurrence = graph.subgraphs[subgraph].outputs[..<output].count { $0 == old }
        renameOutput(old, occurrence: occurrence, to: marker, inSignaturesOf: subgraph)
        graph.subgraphs[subgraph].outputs[output] = marker
        subgraphs[subgraph].hasNewOutputs = true
    }

    /// The operators between a tensor and the custom operator that takes it. They work on bytes, which the engine's
    /// kernels know of every type, and delegates leave alone.
    /// - Returns: The custom operator's result.
    private mutating func addDiversion(
        of old: Int, in subgraph: Int, to code: String
    ) throws(ModelFileError) -> Int {
        let source = graph.subgraphs[subgraph].tensors[old]
        let name = graph.text(tensor: old, in: subgraph)
        guard source.shape.count < LoadingCheck.largestRank else {
            throw ModelFileError(.unsupported, "\(name) has eight dimensions; there can be no ninth in front of them")
        }
        guard source.type.bitWidth >= 8 else {
            throw ModelFileError(.unsupported, "\(name) holds elements of type \(source.type), which have no bytes")
        }
        let elementByteCount = source.type.bitWidth / 8
        var bytes = addTensor(
            "bytes", shape: source.shape + (elementByteCount > 1 ? [elementByteCount] : []), isOpen: true, in: subgraph)
        addOperator("BITCAST", [old], [bytes], to: subgraph)
        if elementByteCount == 1 {
            let expanded = addTensor("expanded bytes", shape: [1] + source.shape, isOpen: true, in: subgraph)
            addOperator("EXPAND_DIMS", [bytes, constant(0, in: subgraph)], [expanded], to: subgraph)
            bytes = expanded
        }
        let row = addTensor("row", shape: [1], isOpen: true, in: subgraph)
        addOperator("RESHAPE", [bytes, constant(-1, in: subgraph)], [row], to: subgraph)
        let filler = addTensor("filler", shape: [1], in: subgraph)
        graph.subgraphs[subgraph].tensors[filler].buffer = addBuffer([0])
        let filled = addTensor("filled row", shape: [2], isOpen: true, in: subgraph)
        addOperator("CONCATENATION", [row, filler], [filled], to: subgraph)
        // The engine keeps what SHAPE gives where it allocates constants, without the alignment that it asks for itself
        // when it hands tensors to custom operators. The larger of two equal numbers lies with the other tensors.
        let rank = graph.subgraphs[subgraph].tensors[bytes].shape.count
        let shape = addTensor("shape", shape: [rank], type: .int32, in: subgraph)
        addOperator("SHAPE", [bytes], [shape], to: subgraph)
        let alignedShape = addTensor("aligned shape", shape: [rank], type: .int32, in: subgraph)
        addOperator("MAXIMUM", [shape, shape], [alignedShape], to: subgraph)
        let marker = addTensor("marker", shape: [1], in: subgraph)
        let codeIndex = addCode(OperatorCode(builtin: BuiltinOperator.custom, custom: code))
        graph.subgraphs[subgraph].operators.append(
            .init(
                codeIndex: codeIndex, code: BuiltinOperator.custom, name: code, inputs: [filled, alignedShape],
                outputs: [marker]))
        return marker
    }

    private mutating func addOperator(_ name: String, _ inputs: [Int], _ outputs: [Int], to subgraph: Int) {
        let builtin = BuiltinOperator.numbers(name).first ?? BuiltinOperator.custom
        let codeIndex = builtinCodes[builtin] ?? addCode(OperatorCode(builtin: builtin, custom: nil))
        builtinCodes[builtin] = codeIndex
        graph.subgraphs[subgraph].operators.append(
            .init(codeIndex: codeIndex, code: builtin, name: name, inputs: inputs, outputs: outputs))
    }

    /// A tensor of one 32-bit number. One for each subgraph, because tensors cannot be shared.
    private mutating func constant(_ value: Int32, in subgraph: Int) -> Int {
        if let known = subgraphs[subgraph].constants[value] { return known }
        let tensor = addTensor("constant", shape: [1], type: .int32, in: subgraph)
        graph.subgraphs[subgraph].tensors[tensor].buffer = addBuffer(
            withUnsafeBytes(of: value.littleEndian) { [UInt8]($0) })
        subgraphs[subgraph].constants[value] = tensor
        return tensor
    }

    /// - Returns: The new buffer's index.
    private mutating func addBuffer(_ bytes: [UInt8]) -> Int {
        newBuffers.append(bytes)
        return bufferCount + newBuffers.count - 1
    }

    /// - Parameter isOpen: Whether all sizes are open until the model runs.
    private mutating func addTensor(
        _ name: String, shape: [Int], isOpen: Bool = false, type: ElementType = .uint8, in subgraph: Int
    ) -> Int {
        let tensor = ModelGraph.Tensor(
            name: subgraphs[subgraph].names.unused("diverted \(name)"), shape: shape,
            shapeSignature: isOpen ? shape.map { _ in -1 } : nil, type: type, buffer: 0, data: nil, quantization: nil,
            isVariable: false, externalBuffer: 0)
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

/// The result of a rewrite: the graph after the changes, and the parts of it that must be written again.
struct RewritePlan {
    private(set) var graph: ModelGraph
    private(set) var subgraphs: [Subgraph]
    private(set) var hasNewSignatures = false
    /// Operator codes after those of the file.
    private(set) var newCodes: [OperatorCode] = []
    /// Contents of buffers after those of the file.
    private(set) var newBuffers: [[UInt8]] = []
    /// The buffers of new blocks of metadata, in the order in which their names came up.
    private(set) var newMetadata: [(name: String, buffer: Int)] = []

    private let bufferCount: Int
    private let codeCount: Int
    /// The indices of the new codes of builtin operators, by their numbers.
    private var builtinCodes: [Int: Int] = [:]
    private var diversionCount = 0
    private var copyCount = 0
    private var scaleCount = 0

    struct Subgraph {
        /// Operators of the file that others take the place of.
        var replacedOperators: Set<Int> = []
        /// Operators of the file that keep their options and get other inputs.
        var reconnectedOperators: Set<Int> = []
        /// New operators, by the operator of the file that they run before or after.
        var precedingOperators: [Int: [ModelGraph.Operator]] = [:]
        var followingOperators: [Int: [ModelGraph.Operator]] = [:]
        var clearedTensors: Set<Int> = []
        /// Tensors of the file that are written again with another shape.
        var restatedTensors: Set<Int> = []
        var hasNewOutputs = false
        /// Tensors with one number that were created for this subgraph, by the number's bytes.
        var constants: [[UInt8]: Int] = [:]
        /// Tensors that repeat the scale of a constant of the file, by that constant and the dimension.
        var repeatedScales: [[Int]: Int] = [:]
        var names: TensorNames

        var isChanged: Bool {
            hasNewOutputs || !replacedOperators.isEmpty || !reconnectedOperators.isEmpty || !restatedTensors.isEmpty
        }
    }

    struct OperatorCode {
        let builtin: Int
        let custom: String?
    }

    /// Far above the number in any model. It limits the work on files that were built to be slow.
    private static let largestDiversionCount = 1000
    private static let largestCopyCount = 1000
    private static let largestScaleCount = 1 << 20

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
        case .restateShape(let tensor, let subgraph, let shape, let signature):
            try requireTensor(tensor, subgraph)
            graph.subgraphs[subgraph].tensors[tensor].shape = shape
            graph.subgraphs[subgraph].tensors[tensor].shapeSignature = signature
            subgraphs[subgraph].restatedTensors.insert(tensor)
        case .copyInput(let number, let subgraph): try copyInput(number, subgraph)
        case .reinterpretInput(let place, let number, let subgraph, let type):
            let old = try operand(place, of: number, subgraph, \.inputs)
            let shape = graph.subgraphs[subgraph].tensors[old].shape
            let bits = addTensor("bits", shape: shape, isOpen: true, type: type, in: subgraph)
            addOperator("BITCAST", [old], [bits], .before(number), to: subgraph)
            graph.subgraphs[subgraph].operators[number].inputs[place] = bits
            subgraphs[subgraph].reconnectedOperators.insert(number)
        case .reinterpretOutput(let place, let number, let subgraph, let type):
            let old = try operand(place, of: number, subgraph, \.outputs)
            let bits = addTensor("bits", shape: [], type: type, in: subgraph)
            addOperator("BITCAST", [bits], [old], .after(number), to: subgraph)
            graph.subgraphs[subgraph].operators[number].outputs[place] = bits
            subgraphs[subgraph].reconnectedOperators.insert(number)
        case .repeatScale(let place, let number, let subgraph, let dimension):
            let old = try operand(place, of: number, subgraph, \.inputs)
            let new = try addRepeatedScale(of: old, along: dimension, in: subgraph)
            graph.subgraphs[subgraph].operators[number].inputs[place] = new
            subgraphs[subgraph].reconnectedOperators.insert(number)
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
        case .setMetadata(let name, let bytes): setMetadata(name, bytes)
        }
    }

    private mutating func setMetadata(_ name: String, _ bytes: [UInt8]) {
        if let known = newMetadata.first(where: { $0.name == name }) {
            newBuffers[known.buffer - bufferCount] = bytes
        } else {
            newMetadata.append((name, bufferCount + newBuffers.count))
            newBuffers.append(bytes)
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
        graph.subgraphs[subgraph].operators[number] = customOperator(code, inputs, outputs)
        subgraphs[subgraph].replacedOperators.insert(number)
    }

    private mutating func copyInput(_ number: Int, _ subgraph: Int) throws(ModelFileError) {
        let old = try operand(0, of: number, subgraph, \.inputs)
        copyCount += 1
        guard copyCount <= Self.largestCopyCount else {
            throw ModelFileError(
                .tooLarge,
                """
                the model has more than \(Self.largestCopyCount) operators such as \(graph.text(operator: number, in: subgraph)) \
                whose shapes depend on data; give them fixed shapes in the model
                """)
        }
        graph.subgraphs[subgraph].operators[number].inputs[0] = try addCopy(of: old, before: number, in: subgraph)
        subgraphs[subgraph].reconnectedOperators.insert(number)
    }

    /// - Returns: The tensor at a place in an operator's list.
    private func operand(
        _ place: Int, of number: Int, _ subgraph: Int, _ list: KeyPath<ModelGraph.Operator, [Int]>
    ) throws(ModelFileError) -> Int {
        try requireSubgraph(subgraph)
        try Self.require(number, graph.subgraphs[subgraph].operators.indices, "operator", subgraph)
        let tensors = graph.subgraphs[subgraph].operators[number][keyPath: list]
        try Self.require(place, tensors.indices, "operand", subgraph)
        try requireTensor(tensors[place], subgraph)
        return tensors[place]
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
        // If several names refer to one tensor, the file does not state which name means which output: the order
        // decides.
        let occurrence = graph.subgraphs[subgraph].outputs[..<output].count { $0 == old }
        renameOutput(old, occurrence: occurrence, to: marker, inSignaturesOf: subgraph)
        graph.subgraphs[subgraph].outputs[output] = marker
        subgraphs[subgraph].hasNewOutputs = true
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

    // MARK: New parts

    /// When a new operator runs: beside an operator of the file, or at the end of the subgraph.
    enum Turn {
        case before(Int)
        case after(Int)
        case last
    }

    /// Adds a builtin operator of version 1.
    mutating func addOperator(
        _ name: String, _ inputs: [Int], _ outputs: [Int], _ turn: Turn = .last, to subgraph: Int
    ) {
        let builtin = BuiltinOperator.codes(name).first ?? BuiltinOperator.custom
        let codeIndex = builtinCodes[builtin] ?? addCode(OperatorCode(builtin: builtin, custom: nil))
        builtinCodes[builtin] = codeIndex
        let operation = ModelGraph.Operator(
            codeIndex: codeIndex, code: builtin, name: name, inputs: inputs, outputs: outputs)
        switch turn {
        case .before(let number): subgraphs[subgraph].precedingOperators[number, default: []].append(operation)
        case .after(let number): subgraphs[subgraph].followingOperators[number, default: []].append(operation)
        case .last: graph.subgraphs[subgraph].operators.append(operation)
        }
    }

    /// Adds a custom operator at the end of the subgraph.
    mutating func addCustomOperator(_ name: String, _ inputs: [Int], _ outputs: [Int], to subgraph: Int) {
        graph.subgraphs[subgraph].operators.append(customOperator(name, inputs, outputs))
    }

    private mutating func customOperator(_ name: String, _ inputs: [Int], _ outputs: [Int]) -> ModelGraph.Operator {
        let codeIndex = addCode(OperatorCode(builtin: BuiltinOperator.custom, custom: name))
        return .init(codeIndex: codeIndex, code: BuiltinOperator.custom, name: name, inputs: inputs, outputs: outputs)
    }

    /// - Returns: The new code's index.
    private mutating func addCode(_ code: OperatorCode) -> Int {
        newCodes.append(code)
        return codeCount + newCodes.count - 1
    }

    /// - Parameter isOpen: Whether all sizes are open until the model runs.
    /// - Returns: The new tensor's index.
    mutating func addTensor(
        _ name: String, shape: [Int], isOpen: Bool = false, type: ElementType = .uint8, in subgraph: Int
    ) -> Int {
        let tensor = ModelGraph.Tensor(
            name: subgraphs[subgraph].names.unused("added \(name)"), shape: shape,
            shapeSignature: isOpen ? shape.map { _ in -1 } : nil, type: type, buffer: 0, data: nil, quantization: nil,
            isVariable: false, externalBuffer: 0)
        graph.subgraphs[subgraph].tensors.append(tensor)
        return graph.subgraphs[subgraph].tensors.count - 1
    }

    /// - Returns: A tensor with the constant's bytes. The same one for the same constant and dimension.
    private mutating func addRepeatedScale(
        of old: Int, along dimension: Int, in subgraph: Int
    ) throws(ModelFileError) -> Int {
        if let known = subgraphs[subgraph].repeatedScales[[old, dimension]] { return known }
        let source = graph.subgraphs[subgraph].tensors[old]
        guard let quantization = source.quantization, quantization.scales.count == 1,
            quantization.zeroPoints.count == 1, source.data?.isEmpty == false, source.shape.indices.contains(dimension),
            source.shape[dimension] > 0
        else {
            throw ModelFileError(
                .invalidRewrite,
                "\(graph.text(tensor: old, in: subgraph)) is not a constant with one scale to repeat along dimension \(dimension)"
            )
        }
        let count = source.shape[dimension]
        scaleCount += count
        guard scaleCount <= Self.largestScaleCount else {
            throw ModelFileError(
                .tooLarge,
                """
                the model has too many channels with one scale: more than \(Self.largestScaleCount) together, the last in \
                \(graph.text(tensor: old, in: subgraph)); quantize each channel
                """)
        }
        let new = addTensor("weights", shape: source.shape, type: source.type, in: subgraph)
        graph.subgraphs[subgraph].tensors[new].buffer = source.buffer
        graph.subgraphs[subgraph].tensors[new].data = source.data
        graph.subgraphs[subgraph].tensors[new].quantization = ModelGraph.Quantization(
            scales: .init(repeating: quantization.scales[0], count: count),
            zeroPoints: .init(repeating: quantization.zeroPoints[0], count: count), dimension: dimension,
            detailsKind: 0)
        subgraphs[subgraph].repeatedScales[[old, dimension]] = new
        return new
    }

    /// A tensor with one number. Each subgraph needs its own, because subgraphs cannot share tensors.
    mutating func constant(
        _ value: some FixedWidthInteger, of type: ElementType, in subgraph: Int
    ) -> Int {
        let bytes = withUnsafeBytes(of: value.littleEndian) { [UInt8]($0) }
        if let known = subgraphs[subgraph].constants[bytes] { return known }
        let tensor = addTensor("constant", shape: [1], type: type, in: subgraph)
        graph.subgraphs[subgraph].tensors[tensor].buffer = bufferCount + newBuffers.count
        newBuffers.append(bytes)
        subgraphs[subgraph].constants[bytes] = tensor
        return tensor
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
    /// Creates an operator without options and state.
    fileprivate init(codeIndex: Int, code: Int, name: String, inputs: [Int], outputs: [Int]) {
        self.init(
            codeIndex: codeIndex, builtinCode: code, name: name, version: 1, inputs: inputs, outputs: outputs,
            intermediates: [], mutatesInputs: false, calledSubgraphs: [])
    }
}

/// The names of a subgraph's tensors, to find unused ones.
struct TensorNames {
    private var used: Set<String>
    /// Only increases, so that a file that uses all these names does not make the search slow.
    private var number = 0

    /// Engines read names as C strings, up to the first NUL.
    init(of tensors: [ModelGraph.Tensor]) {
        used = Set(tensors.compactMap(\.name).map { String($0.prefix { $0 != "\0" }) })
    }

    /// `name` with a number that makes it unused. From then on it counts as used.
    mutating func unused(_ name: String) -> String {
        while !used.insert("\(name) \(number)").inserted { number += 1 }
        return "\(name) \(number)"
    }
}

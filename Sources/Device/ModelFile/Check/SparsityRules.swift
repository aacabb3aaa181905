extension LoadingCheck {
    private static let densify = BuiltinOperator.codes("DENSIFY")
    private static let fullyConnected = BuiltinOperator.codes("FULLY_CONNECTED")

    /// R17: the layout of a sparse constant fits its tensor's shape and the number of its values. Kernels compute
    /// addresses from the layout without a check.
    func requireValidSparsity() throws(ModelFileError) {
        try forEachTensor { subgraph, number, tensor throws(ModelFileError) in
            guard let sparsity = tensor.sparsity else { return }
            guard let count = SparseLayout(sparsity, shape: tensor.shape)?.valueCount(in: bytes) else {
                throw Self.damaged(
                    "\(graph.text(tensor: number, in: subgraph)) has sparsity that does not match its shape")
            }
            let (bits, overflows) = count.multipliedReportingOverflow(by: tensor.type.bitWidth)
            guard !overflows, bits <= (tensor.data?.count ?? 0) * 8 else {
                throw Self.damaged(
                    "\(graph.text(tensor: number, in: subgraph)) has fewer values than its sparse dimensions need")
            }
        }
    }

    /// R17: only `DENSIFY` reads sparse constants. Other operators treat them as dense and read past their end.
    /// `FULLY_CONNECTED` does so in one of its two implementations; the other relies on more than the format
    /// guarantees.
    func requireDenseOperands() throws(ModelFileError) {
        for (number, subgraph) in graph.subgraphs.enumerated() {
            if let output = subgraph.outputs.first(where: { subgraph.tensors[$0].isSmallerThanShape }) {
                throw Self.unsupported("the output \(graph.text(tensor: output, in: number)) is a sparse constant")
            }
        }
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            // The app's own custom operators may support sparse constants.
            guard node.builtinCode != BuiltinOperator.custom || CustomOperatorRequirement.all[node.name] != nil else {
                return
            }
            let tensors = graph.subgraphs[subgraph].tensors
            for (place, input) in node.inputs.enumerated() where input != -1 {
                guard tensors[input].sparsity != nil else { continue }
                let isConsistent: Bool
                switch node.builtinCode {
                case let code where Self.densify.contains(code):
                    isConsistent = tensors[node.outputs[0]].shape == tensors[input].shape
                case let code where Self.fullyConnected.contains(code): isConsistent = false
                default: isConsistent = !tensors[input].isSmallerThanShape
                }
                guard isConsistent else {
                    throw Self.unsupported(
                        """
                        \(graph.text(operator: number, in: subgraph)) cannot use the sparse \
                        \(graph.text(tensor: input, in: subgraph)) as input \(place)
                        """)
                }
            }
        }
    }
}

extension ModelGraph.Tensor {
    /// Whether the constant has fewer bytes than its shape needs.
    fileprivate var isSmallerThanShape: Bool {
        guard sparsity != nil, let data, !data.isEmpty else { return false }
        return declaredByteCount.map { data.count < $0 } ?? true
    }
}

/// The tree of a sparse constant, with the shape of its tensor.
private struct SparseLayout {
    let levels: [Sparsity.Level]
    /// The number of indices on each level.
    let lengths: [Int]

    /// nil when the lists do not fit each other or the shape.
    init?(_ sparsity: Sparsity, shape: [Int]) {
        guard let order = sparsity.traversalOrder, let levels = sparsity.levels else { return nil }
        let rank = shape.count
        let blocks = sparsity.blockMap
        guard order.count == rank + blocks.count, levels.count == order.count,
            order[..<rank].sorted() == Array(0..<rank),
            order[rank...].sorted() == Array(rank..<order.count),
            blocks.allSatisfy((0..<rank).contains), zip(blocks, blocks.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        // The lengths of the dimensions after division into blocks, followed by the lengths of the blocks.
        var divided = shape + blocks.map { _ in 0 }
        for (level, dimension) in zip(levels, order).dropFirst(rank) {
            guard case .dense(let length) = level, length > 0 else { return nil }
            // The engine reads a block's length from the level that the block's own position in the order names.
            guard case .dense(length) = levels[order[dimension]] else { return nil }
            divided[dimension] = length
            divided[blocks[dimension - rank]] /= length
        }
        self.levels = levels
        lengths = order.map { divided[$0] }
    }

    /// The number of values; nil when the tree is inconsistent.
    func valueCount(in bytes: ModelBytes) -> Int? {
        var nodes = 1
        for (level, length) in zip(levels, lengths) {
            switch level {
            case .dense(length):
                let (product, overflows) = nodes.multipliedReportingOverflow(by: length)
                guard length >= 0, !overflows else { return nil }
                nodes = product
            case .compressed(let segments, let indices):
                guard segments.count == nodes + 1, segments.last(in: bytes) == indices.count,
                    segments.allSatisfy(in: bytes, { before, number in (before ?? 0) <= number }),
                    indices.allSatisfy(in: bytes, { _, number in (0..<max(length, 0)).contains(number) })
                else { return nil }
                nodes = indices.count
            default: return nil
            }
        }
        return nodes
    }
}

extension RewritePlan {
    /// Adds the operators between a tensor and the custom operator that receives it. They work on bytes, which the
    /// engine's kernels support for every type, and which delegates ignore.
    /// - Returns: The custom operator's result.
    mutating func addDiversion(of old: Int, in subgraph: Int, to code: String) throws(ModelFileError) -> Int {
        try requireBytes(old, in: subgraph)
        let bytes = addBytes(of: old, to: subgraph)
        let row = addTensor("row", shape: [1], isOpen: true, in: subgraph)
        addOperator("RESHAPE", [bytes, constant(Int32(-1), of: .int32, in: subgraph)], [row], to: subgraph)
        let filled = addTensor("filled row", shape: [2], isOpen: true, in: subgraph)
        addOperator("CONCATENATION", [row, constant(UInt8(0), of: .uint8, in: subgraph)], [filled], to: subgraph)
        let shape = addShape(of: bytes, to: subgraph)
        let marker = addTensor("marker", shape: [1], in: subgraph)
        addCustomOperator(code, [filled, shape], [marker], to: subgraph)
        return marker
    }

    private func requireBytes(_ tensor: Int, in subgraph: Int) throws(ModelFileError) {
        let source = graph.subgraphs[subgraph].tensors[tensor]
        let name = graph.text(tensor: tensor, in: subgraph)
        // The additional dimension is for the bytes of an element.
        guard source.shape.count < LoadingCheck.maximumRank else {
            throw ModelFileError(
                .unsupported,
                "\(name) cannot be diverted: it has \(source.shape.count) dimensions; "
                    + "\(LoadingCheck.maximumRank - 1) are the most")
        }
        guard source.type.bitWidth >= 8 else {
            throw ModelFileError(
                .unsupported, "\(name) cannot be diverted: its elements of type \(source.type) have no whole bytes")
        }
    }

    /// - Returns: A uint8 tensor with one more dimension: the bytes of an element at the end or, for elements of one
    ///   byte, a 1 at the start. (The engine's BITCAST adds no dimension for single bytes.)
    private mutating func addBytes(of old: Int, to subgraph: Int) -> Int {
        let source = graph.subgraphs[subgraph].tensors[old]
        let elementByteCount = source.type.bitWidth / 8
        let isOneByte = elementByteCount == 1
        let bytes = addTensor(
            "bytes", shape: source.shape + (isOneByte ? [] : [elementByteCount]), isOpen: true, in: subgraph)
        addOperator("BITCAST", [old], [bytes], to: subgraph)
        guard isOneByte else { return bytes }
        let expanded = addTensor("expanded bytes", shape: [1] + source.shape, isOpen: true, in: subgraph)
        addOperator("EXPAND_DIMS", [bytes, constant(Int32(0), of: .int32, in: subgraph)], [expanded], to: subgraph)
        return expanded
    }

    /// - Returns: An int32 tensor with the dimensions of `tensor`.
    private mutating func addShape(of tensor: Int, to subgraph: Int) -> Int {
        let rank = graph.subgraphs[subgraph].tensors[tensor].shape.count
        let shape = addTensor("shape", shape: [rank], type: .int32, in: subgraph)
        addOperator("SHAPE", [tensor], [shape], to: subgraph)
        // The engine stores the result of SHAPE where it allocates constants. There it lacks the alignment that the
        // engine itself requires for tensors of custom operators. The maximum of two equal numbers is stored with the
        // other tensors.
        let aligned = addTensor("aligned shape", shape: [rank], type: .int32, in: subgraph)
        addOperator("MAXIMUM", [shape, shape], [aligned], to: subgraph)
        return aligned
    }
}

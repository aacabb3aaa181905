extension LoadingCheck {
    private static let slice = BuiltinOperator.numbers("STRIDED_SLICE")

    /// R16: a slice with strides has a stride for each begin. Where its ends count from calculated begins, they alone tell how
    /// large the result is: they and the strides are constants, and no mask changes what is taken.
    func requireFittingSlices() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            guard Self.slice.contains(node.builtinCode) else { return }
            let tensors = node.inputs.map { graph.subgraphs[subgraph].tensors[$0] }
            let (begin, end, strides) = (tensors[1], tensors[2], tensors[3])
            if let begins = begin.elementCount, let count = strides.elementCount, begins != count {
                throw Self.damaged(
                    "\(graph.text(operator: number, in: subgraph)) has \(count) strides for \(begins) begins")
            }
            guard let options = node.sliceOptions, options.endsAreOffsets else { return }
            let rank = tensors[0].shape.count
            let (ends, steps) = (end.integers(in: bytes), strides.integers(in: bytes))
            guard ends.count >= rank, steps.count >= rank, ends.allSatisfy({ $0 >= 0 }), steps.allSatisfy({ $0 > 0 }),
                options.endMask == 0, options.ellipsisMask == 0, options.newAxisMask == 0
            else {
                throw Self.unsupported(
                    """
                    \(graph.text(operator: number, in: subgraph)) counts its ends from its begins, and its ends, strides \
                    or masks do not tell the size of its result
                    """)
            }
        }
    }
}

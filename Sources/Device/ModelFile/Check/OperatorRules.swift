extension LoadingCheck {
    /// Operators of which any input may be left out: the parts of recurrent cells, and what custom operators like.
    private static let optionalInputs = BuiltinOperator.numbers(
        "BIDIRECTIONAL_SEQUENCE_LSTM", "BIDIRECTIONAL_SEQUENCE_RNN", "CUSTOM", "LSTM", "RNN", "STABLEHLO_COMPOSITE",
        "SVDF", "UNIDIRECTIONAL_SEQUENCE_LSTM", "UNIDIRECTIONAL_SEQUENCE_RNN")
    /// Operators whose last input, the bias, may be left out: as input 2, or as input 3 behind an output shape.
    private static let optionalInput2 = BuiltinOperator.numbers(
        "CONV_2D", "CONV_3D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED")
    private static let optionalInput3 = BuiltinOperator.numbers("CONV_3D_TRANSPOSE", "TRANSPOSE_CONV")

    /// R8: an input is left out only where the operator can do without. Kernels of the others follow the null pointer.
    func requireMandatoryInputs() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            guard let missing = node.inputs.firstIndex(of: -1), !Self.optionalInputs.contains(node.builtinCode),
                !(missing == 2 && Self.optionalInput2.contains(node.builtinCode)),
                !(missing == 3 && Self.optionalInput3.contains(node.builtinCode))
            else { return }
            throw Self.damaged("\(graph.text(operator: number, in: subgraph)) lacks its input \(missing)")
        }
    }

    private static let split = BuiltinOperator.numbers("SPLIT", "SPLIT_V")

    /// R9: a split says into how many parts, and has as many outputs. Without that the engine follows a null pointer.
    func requireSplitCounts() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            guard Self.split.contains(node.builtinCode), node.splitCount != node.outputs.count else { return }
            throw Self.damaged(
                "\(graph.text(operator: number, in: subgraph)) does not say into how many parts, or has other outputs")
        }
    }

    /// R10: an operator has the inputs and outputs that its kind reads and writes. Not all kernels count before they
    /// follow a pointer, and behind the end of a list lies what the memory held before.
    func requireOperandCounts() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            let least = OperandCounts.least(for: node.builtinCode)
            guard node.inputs.count >= least.inputs, node.outputs.count >= least.outputs else {
                throw Self.damaged(
                    """
                    \(graph.text(operator: number, in: subgraph)) has \(node.inputs.count) inputs and \
                    \(node.outputs.count) outputs; it needs \(least.inputs) and \(least.outputs)
                    """)
            }
        }
    }

    private static let variableHandle = BuiltinOperator.numbers("VAR_HANDLE")

    /// R12: the handle of a variable is a resource. The kernel writes it into whatever tensor it finds, which may have
    /// no room for it.
    func requireResourceHandles() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            guard Self.variableHandle.contains(node.builtinCode),
                let other = node.outputs.first(where: { graph.subgraphs[subgraph].tensors[$0].type != .resource })
            else { return }
            throw Self.damaged(
                """
                \(graph.text(operator: number, in: subgraph)) makes a handle, but \
                \(graph.text(tensor: other, in: subgraph)) is no resource
                """)
        }
    }

    /// R13: the window of a pooling covers something. Kernels calculate addresses with its size.
    func requirePoolingWindows() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            guard let window = node.poolingWindow, !window.allSatisfy({ $0 > 0 }) else { return }
            throw Self.damaged(
                "\(graph.text(operator: number, in: subgraph)) has a window of \(window[0]) x \(window[1])")
        }
    }
}

extension LoadingCheck {
    private static let split = BuiltinOperator.numbers("SPLIT", "SPLIT_V")

    /// R9: a split says into how many parts, and has as many outputs. Without that the engine follows a null pointer.
    func requireSplitCounts() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            guard Self.split.contains(node.builtinCode), node.splitCount != node.outputs.count else { return }
            throw Self.damaged(
                "\(graph.text(operator: number, in: subgraph)) does not say into how many parts, or has other outputs")
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

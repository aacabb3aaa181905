extension LoadingCheck {
    private static let branches = BuiltinOperator.numbers("IF", "STABLEHLO_CASE")
    private static let loops = BuiltinOperator.numbers("WHILE")
    private static let composites = BuiltinOperator.numbers("STABLEHLO_COMPOSITE")
    private static let cases = BuiltinOperator.numbers("STABLEHLO_CASE")

    /// R15: what an operator hands to the subgraphs that it runs, and takes from them, has the type that they say. Kernels copy
    /// bytes from one to the other.
    func requireAgreeingSubgraphs() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            try requireAllBranches(subgraph, number, node)
            let hands =
                Self.branches.contains(node.builtinCode)
                ? Array(node.inputs.dropFirst())
                : Self.loops.union(Self.composites).contains(node.builtinCode) ? node.inputs : nil
            guard let hands else { return }
            for (place, called) in node.calledSubgraphs.enumerated() {
                // A loop's condition, which comes first, gives the loop nothing.
                let takes = Self.loops.contains(node.builtinCode) && place == 0 ? [] : node.outputs
                let graph = graph.subgraphs[called]
                guard agree(hands, in: subgraph, graph.inputs, in: called),
                    agree(takes, in: subgraph, graph.outputs, in: called)
                else {
                    throw Self.damaged(
                        """
                        \(self.graph.text(operator: number, in: subgraph)) and subgraph \(called), which it runs, have \
                        different types for the same value
                        """)
                }
            }
        }
    }

    /// The kernel takes every subgraph but the first for a branch.
    private func requireAllBranches(
        _ subgraph: Int, _ number: Int, _ node: ModelGraph.Operator
    ) throws(ModelFileError) {
        guard Self.cases.contains(node.builtinCode) else { return }
        guard node.calledSubgraphs.sorted() == Array(1..<max(graph.subgraphs.count, 1)) else {
            throw Self.unsupported(
                "\(graph.text(operator: number, in: subgraph)) does not have all subgraphs but the first as branches")
        }
    }

    /// That there are equally many is for the engine to say.
    private func agree(_ first: [Int], in one: Int, _ second: [Int], in other: Int) -> Bool {
        zip(first, second).allSatisfy { first, second in
            first == -1 || graph.subgraphs[one].tensors[first].type == graph.subgraphs[other].tensors[second].type
        }
    }
}

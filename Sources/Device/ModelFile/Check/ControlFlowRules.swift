extension LoadingCheck {
    /// Loops and branches call only existing subgraphs, never themselves, and stay within the limits. The engine
    /// prepares called subgraphs recursively, once for every call.
    func requireFiniteControlFlow() throws(ModelFileError) {
        try requireCalledSubgraphsExist()
        var cost: [Cost?] = Array(repeating: nil, count: graph.subgraphs.count)
        for start in graph.subgraphs.indices where cost[start] == nil {
            try walk(from: start, &cost)
        }
    }

    /// What it takes to prepare one subgraph, including the subgraph itself.
    private struct Cost {
        var depth = 0
        var calls = 0
    }

    private func requireCalledSubgraphsExist() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            guard node.calledSubgraphs.allSatisfy(graph.subgraphs.indices.contains) else {
                throw Self.damaged("\(graph.text(operator: number, in: subgraph)) runs a subgraph that does not exist")
            }
        }
    }

    /// Depth first with an explicit stack, because a file can nest as deep as it has subgraphs.
    private func walk(from start: Int, _ cost: inout [Cost?]) throws(ModelFileError) {
        var open: Set<Int> = [start]
        var stack = [(subgraph: start, callees: callees(of: start), next: 0)]
        while let (subgraph, callees, next) = stack.last {
            guard next < callees.count else {
                cost[subgraph] = try total(of: callees, cost)
                open.remove(subgraph)
                stack.removeLast()
                continue
            }
            stack[stack.count - 1].next += 1
            let callee = callees[next]
            guard !open.contains(callee) else {
                throw Self.damaged("subgraph \(callee) calls itself")
            }
            if cost[callee] == nil {
                open.insert(callee)
                stack.append((callee, self.callees(of: callee), 0))
            }
        }
    }

    private func callees(of subgraph: Int) -> [Int] {
        graph.subgraphs[subgraph].operators.flatMap(\.calledSubgraphs)
    }

    /// The cost of a subgraph whose callees' costs are known.
    private func total(of callees: [Int], _ cost: [Cost?]) throws(ModelFileError) -> Cost {
        var total = Cost()
        for callee in callees.compactMap({ cost[$0] }) {
            total.depth = max(total.depth, callee.depth + 1)
            total.calls += callee.calls + 1
            // Checked in the loop, so that the sum cannot overflow.
            guard total.depth <= limits.controlFlowDepth, total.calls <= limits.controlFlowCalls else {
                throw ModelFileError(
                    .tooLarge, "the model's loops and branches are nested too deeply, or there are too many")
            }
        }
        return total
    }
}

extension LoadingCheck {
    private static let branches = BuiltinOperator.codes("IF", "STABLEHLO_CASE")
    private static let loops = BuiltinOperator.codes("WHILE")
    private static let composites = BuiltinOperator.codes("STABLEHLO_COMPOSITE")
    private static let cases = BuiltinOperator.codes("STABLEHLO_CASE")

    /// R15: the values that an operator passes to its subgraphs and receives from them have the types that the
    /// subgraphs declare. Kernels copy bytes from one to the other.
    func requireMatchingSubgraphTypes() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            try requireAllBranches(subgraph, number, node)
            let hands =
                Self.branches.contains(node.builtinCode)
                ? Array(node.inputs.dropFirst())
                : Self.loops.union(Self.composites).contains(node.builtinCode) ? node.inputs : nil
            guard let hands else { return }
            for (place, called) in node.calledSubgraphs.enumerated() {
                // A loop's condition, which comes first, returns no values to the loop.
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

    /// The kernel treats every subgraph except the first as a branch.
    private func requireAllBranches(
        _ subgraph: Int, _ number: Int, _ node: ModelGraph.Operator
    ) throws(ModelFileError) {
        guard Self.cases.contains(node.builtinCode) else { return }
        guard node.calledSubgraphs.sorted() == Array(1..<max(graph.subgraphs.count, 1)) else {
            throw Self.unsupported(
                "\(graph.text(operator: number, in: subgraph)) does not have all subgraphs but the first as branches")
        }
    }

    /// Compares only types. The engine checks that both lists have the same length.
    private func agree(_ first: [Int], in one: Int, _ second: [Int], in other: Int) -> Bool {
        zip(first, second).allSatisfy { first, second in
            first == -1 || graph.subgraphs[one].tensors[first].type == graph.subgraphs[other].tensors[second].type
        }
    }
}

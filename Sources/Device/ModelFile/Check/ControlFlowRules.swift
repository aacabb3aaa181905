extension LoadingCheck {
    /// Loops and branches call subgraphs that exist, never end up at themselves, and stay within the limits. The engine
    /// prepares called subgraphs recursively, once for every call.
    func requireFiniteControlFlow() throws(ModelFileError) {
        try requireCalledSubgraphsExist()
        var cost: [Cost?] = Array(repeating: nil, count: graph.subgraphs.count)
        for start in graph.subgraphs.indices where cost[start] == nil {
            try walk(from: start, &cost)
        }
    }

    /// What preparing one subgraph takes, itself included.
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

    /// Depth first with a stack of our own: a file may nest as deep as it has subgraphs.
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
                throw Self.damaged("subgraph \(callee) ends up running itself")
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
                throw ModelFileError(.tooLarge, "the model's loops and branches are nested too deep or too many")
            }
        }
        return total
    }
}

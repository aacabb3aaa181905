extension LoadingCheck {
    /// The engine's layouts hold 8 dimensions.
    static let largestRank = 8

    /// What the engine refuses at load with nothing but a number, said in words: ranks above 8, element types it does
    /// not know, constants in other files.
    func requireSupportedTensors() throws(ModelFileError) {
        try forEachTensor { subgraph, number, tensor throws(ModelFileError) in
            var name: String { graph.text(tensor: number, in: subgraph) }
            guard tensor.shape.count <= Self.largestRank else {
                throw Self.unsupported("\(name) has \(tensor.shape.count) dimensions; 8 is the most")
            }
            guard tensor.type.isKnown else { throw Self.unsupported("\(name) has the unknown \(tensor.type)") }
            guard tensor.externalBuffer == 0 else { throw Self.unsupported("\(name) lies in another file") }
        }
    }

    /// Operators newer than the engine.
    func requireSupportedOperators() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            guard BuiltinOperator.name(node.builtinCode) != nil else {
                throw Self.unsupported("\(graph.text(operator: number, in: subgraph)) is newer than this engine")
            }
        }
    }
}

import HearthModelFile

/// Finds operators that the engine lacks. It would not tell before the first allocation, so that is tried at load.
enum CustomOperatorCheck {
    /// Other failures wait for the caller's own allocation: a resize may cure them.
    static func run(_ compiled: CompiledModel, _ main: GraphInterface, of graph: ModelGraph) throws(RuntimeFailure) {
        let customOperators = Set(
            graph.subgraphs.flatMap(\.operators).filter { $0.builtinCode == SizingOperators.customCode }.map(\.name))
        guard !customOperators.isEmpty else { return }
        do {
            _ = try compiled.outputShapes(count: main.outputs.count, signature: main.signature, allocating: true)
        } catch {
            guard ["unresolved custom op", "Flex delegate"].contains(where: error.message.contains) else { return }
            let unknown = customOperators.subtracting(SizingOperators.fixedSizeCustomOperators).sorted()
            throw RuntimeFailure(
                .unsupported,
                "The model uses custom operators that this runtime does not have ("
                    + "\(unknown.joined(separator: ", "))); convert it with built-in operators only.")
        }
    }
}

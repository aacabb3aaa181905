extension GraphInterface {
    /// Finds operators that the engine lacks. It would not tell before the first allocation, so that is tried here.
    ///
    /// Other failures wait for the caller's own allocation: a resize may cure them.
    func checkCustomOperators(_ compiled: CompiledModel) throws(RuntimeFailure) {
        guard !customOperators.isEmpty else { return }
        do {
            _ = try compiled.outputShapes(count: outputs.count, allocating: true)
        } catch {
            guard ["unresolved custom op", "Flex delegate"].contains(where: error.message.contains) else { return }
            let unknown = Set(customOperators).subtracting(SizingOperators.fixedSizeCustomOperators).sorted()
            throw RuntimeFailure(
                .unsupported,
                "The model uses custom operators that this runtime does not have ("
                    + "\(unknown.joined(separator: ", "))); convert it with built-in operators only.")
        }
    }
}

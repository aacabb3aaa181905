extension LoadingCheck {
    /// R1: a signature's names are unique, and its tensors are its subgraph's inputs and outputs, neither more nor less.
    /// (That key and names exist at all is checked when they are read.)
    func requireSignaturesCoverTheirSubgraphs() throws(ModelFileError) {
        for signature in graph.signatures {
            let name = "signature \(signature.key.quoted)"
            guard graph.subgraphs.indices.contains(signature.subgraph) else {
                throw Self.damaged("\(name) runs a subgraph that does not exist")
            }
            let subgraph = graph.subgraphs[signature.subgraph]
            try requireCover(signature.inputs, of: subgraph.inputs, name, "inputs")
            try requireCover(signature.outputs, of: subgraph.outputs, name, "outputs")
        }
    }

    private func requireCover(
        _ named: [ModelGraph.NamedTensor], of tensors: [Int], _ signature: String, _ kind: String
    ) throws(ModelFileError) {
        if let twice = Self.firstRepeated(named.map(\.name)) {
            throw Self.damaged("\(signature) has two \(kind) with the name \(twice.quoted)")
        }
        guard named.map(\.tensor).sorted() == tensors.sorted() else {
            throw Self.damaged("the \(kind) of \(signature) are not those of its subgraph")
        }
    }

    /// R2: without signatures the engine makes one out of the tensors' names, which then have to be unique.
    func requireDistinctNames() throws(ModelFileError) {
        guard graph.signatures.isEmpty else { return }
        let main = graph.subgraphs[0]
        for (kind, tensors) in [("inputs", main.inputs), ("outputs", main.outputs)] {
            let names = tensors.compactMap { main.tensors[$0].name }.filter { !$0.isEmpty }
            if let twice = Self.firstRepeated(names) {
                throw Self.damaged("two of its \(kind) have the name \(twice.quoted)")
            }
        }
    }

    /// The first name that is there twice for an engine, which reads names as C strings: up to the first NUL.
    private static func firstRepeated(_ names: [String]) -> String? {
        var seen: Set<Substring> = []
        return names.first { name in
            !seen.insert(name.prefix { $0 != "\0" }).inserted
        }
    }
}

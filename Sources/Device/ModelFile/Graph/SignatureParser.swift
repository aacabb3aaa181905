/// Reads the signatures of a model. Names that are absent cannot be called, and crash engines: rule R1 begins here.
enum SignatureParser {
    static func signature(_ table: FlatTable) throws(ModelFileError) -> ModelGraph.Signature {
        guard let key = try table.string(2, "signature's key") else {
            throw ModelFileError(.malformed, "the model is damaged: a signature has no key")
        }
        let subgraph: UInt32 = try table.integer(4)
        return ModelGraph.Signature(
            key: key, subgraph: Int(subgraph),
            inputs: try table.tables(0, "signature's input").map { table throws(ModelFileError) in
                try namedTensor(table, "an input of signature '\(key)'")
            },
            outputs: try table.tables(1, "signature's output").map { table throws(ModelFileError) in
                try namedTensor(table, "an output of signature '\(key)'")
            })
    }

    private static func namedTensor(
        _ table: FlatTable, _ place: String
    ) throws(ModelFileError) -> ModelGraph.NamedTensor {
        guard let name = try table.string(0, "name in a signature") else {
            throw ModelFileError(.malformed, "the model is damaged: \(place) has no name")
        }
        let tensor: UInt32 = try table.integer(1)
        return ModelGraph.NamedTensor(name: name, tensor: Int(tensor))
    }
}

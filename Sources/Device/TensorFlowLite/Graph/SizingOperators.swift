import HearthModelFile

/// Which tensors of a subgraph may get a size that is known only once data flows.
///
/// The engine lays out memory from the shapes it knows before a run. Behind such an operator those shapes are guesses,
/// so outputs named here are cured (``OutputCure``). Naming one too many costs a copy of it, or refuses a model where the cure
/// cannot be had; naming one too few gives wrong numbers.
struct SizingOperators {
    /// The number of custom operators in the file format.
    static let customCode = 32

    private var names: [Int: String] = [:]

    init(_ subgraph: ModelGraph.Subgraph) {
        for operation in subgraph.operators {
            let inherited = operation.inputs.lazy.compactMap { [names] in names[$0] }.first
            guard let name = Self.sizesByData(operation, in: subgraph) ? operation.name : inherited else { continue }
            for output in operation.outputs { names[output] = name }
        }
    }

    /// The operator nearest before the tensor that sizes it by data.
    func operatorName(forTensor index: Int) -> String? {
        names[index]
    }

    private static func sizesByData(_ operation: ModelGraph.Operator, in subgraph: ModelGraph.Subgraph) -> Bool {
        if operation.builtinCode == customCode { return !fixedSizeCustomOperators.contains(operation.name) }
        if sizingBuiltins.contains(operation.name) || operation.name.hasPrefix("STABLEHLO_") { return true }
        if !operation.calledSubgraphs.isEmpty { return true }
        if valueBuiltins.contains(operation.name) { return false }
        // Shapes, axes and counts are always integers of these types. As constants they are known beforehand.
        return operation.inputs.contains { index in
            guard subgraph.tensors.indices.contains(index) else { return false }
            let tensor = subgraph.tensors[index]
            return tensor.data == nil && sizingTypes.contains(tensor.type)
        }
    }

    private static let sizingTypes: Set<ElementType> = [.int32, .int64, .uint32, .uint64, .string, .resource, .variant]

    /// Those that size their outputs by data of other types, or by what they keep.
    private static let sizingBuiltins: Set<String> = [
        "WHERE", "UNIQUE", "NON_MAX_SUPPRESSION_V4", "NON_MAX_SUPPRESSION_V5", "RANGE", "IF", "WHILE", "CALL",
        "CALL_ONCE", "HASHTABLE", "HASHTABLE_FIND", "HASHTABLE_LOOKUP", "HASHTABLE_SIZE", "VAR_HANDLE",
        "READ_VARIABLE", "EMBEDDING_LOOKUP_SPARSE", "SKIP_GRAM",
    ]

    /// Those that take integers as values or places, never as sizes: what models that begin with token numbers use.
    private static let valueBuiltins: Set<String> = [
        "ABS", "ADD", "CAST", "CONCATENATION", "DIV", "EMBEDDING_LOOKUP", "EQUAL", "FLOOR_DIV", "FLOOR_MOD", "GATHER",
        "GATHER_ND", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL", "MAXIMUM", "MINIMUM", "MUL", "NEG", "NOT_EQUAL",
        "PACK", "POW", "SELECT", "SELECT_V2", "SHAPE", "SQUARED_DIFFERENCE", "SUB", "UNPACK",
    ]

    /// Custom operators of the engine whose outputs have a fixed size.
    static let fixedSizeCustomOperators: Set<String> = ["TFLite_Detection_PostProcess"]
}

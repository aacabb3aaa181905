/// The names of a subgraph's tensors, for new ones beside them.
struct TensorNames {
    private var used: Set<String>
    /// Goes up only, so files whose names are all taken do not make the search slow.
    private var number = 0

    /// Engines read names as C strings, up to the first NUL.
    init(of tensors: [ModelGraph.Tensor]) {
        used = Set(tensors.compactMap(\.name).map { String($0.prefix { $0 != "\0" }) })
    }

    /// `name` with a number that makes it unused; it counts as used from now on.
    mutating func unused(_ name: String) -> String {
        while !used.insert("\(name) \(number)").inserted { number += 1 }
        return "\(name) \(number)"
    }
}

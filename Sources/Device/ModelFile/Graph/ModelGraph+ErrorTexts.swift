extension ModelGraph {
    /// How error texts call a tensor: "tensor 3 'scores' of subgraph 0".
    public func text(tensor: Int, in subgraph: Int) -> String {
        let name = subgraphs[subgraph].tensors[tensor].name ?? ""
        let quotedName = name.isEmpty ? "" : " \(name.quoted)"
        return "tensor \(tensor)\(quotedName) of subgraph \(subgraph)"
    }

    /// How error texts call an operator: "operator 3 (CONV_2D) of subgraph 0".
    public func text(operator number: Int, in subgraph: Int) -> String {
        "operator \(number) (\(subgraphs[subgraph].operators[number].name.shortened)) of subgraph \(subgraph)"
    }
}

extension String {
    /// For error texts: one line without control characters, cut after 60 characters. Names in files can be anything.
    var shortened: String {
        let clean = String(prefix(60).map { $0.unicodeScalars.allSatisfy { $0.properties.isPrintable } ? $0 : "?" })
        return clean.count < count ? clean + "..." : clean
    }

    var quoted: String { "'\(shortened)'" }
}

extension Unicode.Scalar.Properties {
    fileprivate var isPrintable: Bool {
        switch generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }
}

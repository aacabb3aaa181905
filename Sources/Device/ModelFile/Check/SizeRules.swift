extension LoadingCheck {
    /// Dimensions are counts, or -1 where they are dynamic; the shape signature has the shape's rank.
    func requireValidShapes() throws(ModelFileError) {
        try forEachTensor { subgraph, number, tensor throws(ModelFileError) in
            var name: String { graph.text(tensor: number, in: subgraph) }
            let signature = tensor.shapeSignature ?? []
            guard (tensor.shape + signature).allSatisfy({ $0 >= -1 }) else {
                throw Self.damaged("\(name) has a negative dimension")
            }
            guard signature.isEmpty || signature.count == tensor.shape.count else {
                throw Self.damaged("\(name) has two shapes of different rank")
            }
        }
    }

    /// The declared sizes together stay under the limit; an engine allocates them as declared.
    func requireTotalSize() throws(ModelFileError) {
        var rest = limits.totalTensorBytes
        try forEachTensor { subgraph, number, tensor throws(ModelFileError) in
            guard let size = tensor.declaredByteCount, size <= rest else {
                throw ModelFileError(
                    .tooLarge,
                    "the model's tensors, up to \(graph.text(tensor: number, in: subgraph)), need more than "
                        + "\(limits.totalTensorBytes) bytes")
            }
            rest -= size
        }
    }
}

extension ModelGraph.Tensor {
    /// Bytes that the shape and type ask for, dynamic dimensions counted as 1; nil when no integer can hold the number.
    var declaredByteCount: Int? {
        var bits = type.bitWidth
        for dimension in shape {
            let (product, overflows) = bits.multipliedReportingOverflow(by: max(dimension, dimension == -1 ? 1 : 0))
            guard !overflows else { return nil }
            bits = product
        }
        return bits / 8 + (bits.isMultiple(of: 8) ? 0 : 1)
    }
}

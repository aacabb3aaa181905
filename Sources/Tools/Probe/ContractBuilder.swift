import HearthCrypto
import HearthModelFile
import HearthWire

/// Makes a model's contract out of what its file says.
struct ContractBuilder {
    let graph: ModelGraph
    let metadata: ModelMetadata?
    let labels: LabelMap?

    var contract: ModelContract {
        let main = graph.subgraphs.first
        var contract = ModelContract(
            inputs: tensors(main?.inputs), outputs: tensors(main?.outputs), operators: operators,
            signatures: graph.signatures.map(\.key))
        contract.labelCount = labels?.count
        contract.labelsSHA256 = labels.map(digest)
        contract.title = metadata?.name
        contract.summary = metadata?.description
        contract.author = metadata?.author
        contract.license = metadata?.license
        return contract
    }

    private func tensors(_ indexes: [Int]?) -> [ModelContract.Tensor] {
        guard let main = graph.subgraphs.first else { return [] }
        return (indexes ?? []).compactMap { index in
            guard main.tensors.indices.contains(index) else { return nil }
            let tensor = main.tensors[index]
            let quantization = tensor.quantization.flatMap { $0.scales.count == 1 ? $0 : nil }
            return ModelContract.Tensor(
                name: tensor.name ?? "", type: tensor.type.description, shape: tensor.shapeSignature ?? tensor.shape,
                scale: quantization?.scales.first, zeroPoint: quantization?.zeroPoints.first)
        }
    }

    private func digest(of labels: LabelMap) -> String {
        var hasher = SHA256Hasher()
        for name in labels.classNames {
            hasher.update(name.utf8)
            hasher.update(CollectionOfOne(UInt8(ascii: "\n")))
        }
        return hasher.finalize().hex
    }

    /// Every operator of every subgraph, most frequent first.
    private var operators: [ModelContract.Operator] {
        var counts: [String: Int] = [:]
        for subgraph in graph.subgraphs {
            for node in subgraph.operators { counts[node.name, default: 0] += 1 }
        }
        return counts.map { ModelContract.Operator(name: $0.key, count: $0.value) }
            .sorted { $0.count == $1.count ? $0.name < $1.name : $0.count > $1.count }
    }
}

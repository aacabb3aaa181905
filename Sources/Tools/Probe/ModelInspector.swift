import HearthCrypto
import HearthModelFile
import HearthWire
import TensorFlowLite

/// Inspects a model and loads it into the engine: whether it is valid, whether it can run here, and its contract.
enum ModelInspector {
    static func report(_ bytes: ModelBytes) -> ProbeReport {
        do {
            let file = try ModelFile(bytes)
            let metadata = try ModelMetadata(of: file)
            let labels = EmbeddedLabels(bytes: bytes, metadata: metadata).labels
            let contract = ContractBuilder(graph: file.graph, metadata: metadata, labels: labels).contract
            return report(file, contract)
        } catch {
            var report = ProbeReport(verdict: .malformed, message: error.message)
            if bytes.withUnsafeBytes({ $0.starts(with: Array("PK".utf8)) }) { report.isZip = true }
            return report
        }
    }

    private static func report(_ file: ModelFile, _ contract: ModelContract) -> ProbeReport {
        do {
            let interpreter = try Interpreter(model: file)
            // Unknown operators cause an error only now.
            try interpreter.allocateTensors()
            return ProbeReport(verdict: .ok, contract: contract)
        } catch let error as ModelFileError where error.code != .unsupported && error.code != .tooLarge {
            return ProbeReport(verdict: .malformed, message: error.message)
        } catch {
            return ProbeReport(verdict: .unsupported, message: "\(error)", contract: contract)
        }
    }
}

/// Makes a model's contract from its file.
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

/// Finds the labels inside a model file, from bytes in memory: a sandbox cannot open files.
struct EmbeddedLabels {
    let archive: ZipArchive?
    let metadata: ModelMetadata?

    /// An unreadable zip counts as one without labels. Labeling with the model then reports the reason.
    init(bytes: ModelBytes, metadata: ModelMetadata?) {
        archive = (try? ZipArchive(in: bytes)) ?? nil
        self.metadata = metadata
    }

    /// Nil without labels and with invalid ones. The first source that names a file decides, in the order of `ModelBundle`.
    var labels: LabelMap? { labelFile.map(labels(in:)) ?? exportedNames }

    private var labelFile: String? { manifestFile ?? metadataFile ?? usualFile }

    private var manifestFile: String? {
        guard let json = contents(of: "manifest.json", limitBytes: AutoMLManifest.maximumByteCount) else { return nil }
        return (try? AutoMLManifest(json: json))?.labelsFile
    }

    /// The file of the first output that has one with labels.
    private var metadataFile: String? {
        let outputs = metadata?.subgraphs.first?.outputs ?? []
        let files = outputs.compactMap { output in
            output.associatedFiles.first { $0.kind == .axisLabels || $0.kind == .valueLabels }?.name
        }
        return files.first { !isDescriptionOnly($0) }
    }

    private func isDescriptionOnly(_ name: String) -> Bool {
        contents(of: name, limitBytes: LabelMap.maximumByteCount).map(LabelMap.isDescriptionOnly) ?? false
    }

    /// The only file with a usual name of label files.
    private var usualFile: String? {
        let names = ["labels.txt", "dict.txt"].filter { archive?.member(named: $0) != nil }
        return names.count == 1 ? names[0] : nil
    }

    private var exportedNames: LabelMap? {
        contents(of: ExporterDescription.fileName, limitBytes: LabelMap.maximumByteCount).flatMap(LabelMap.description)
            .flatMap(LabelMap.init)
    }

    private func labels(in name: String) -> LabelMap? {
        contents(of: name, limitBytes: LabelMap.maximumByteCount).flatMap { try? LabelMap(file: $0) }
    }

    private func contents(of name: String, limitBytes: Int) -> [UInt8]? {
        guard let archive, let member = archive.member(named: name), member.byteCount <= limitBytes else { return nil }
        return try? archive.contents(of: member)
    }
}

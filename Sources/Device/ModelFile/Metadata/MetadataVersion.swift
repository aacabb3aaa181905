/// The version of the metadata format in which something appeared, in ascending order. It is that of the whole format,
/// as MediaPipe's and TensorFlow's writers state it; readers refuse a block that states a newer one than their own.
enum MetadataVersion: Comparable {
    case first, vocabulary, subgraphUnits, tensorGroups, audio, searchIndex, fileVersion, customBlocks

    var text: String {
        switch self {
        case .first: "1.0.0"
        case .vocabulary: "1.0.1"
        case .subgraphUnits: "1.1.0"
        case .tensorGroups: "1.2.0"
        case .audio: "1.3.0"
        case .searchIndex: "1.4.0"
        case .fileVersion: "1.4.1"
        case .customBlocks: "1.5.0"
        }
    }

    /// The version of the newest thing that `metadata` has. Tokenizers do not count, because they are not written.
    init(needed metadata: ModelMetadata) {
        let parts = metadata.associatedFiles.map(Self.init(of:)) + metadata.subgraphs.flatMap(Self.parts)
        self = parts.max() ?? .first
    }

    private static func parts(of subgraph: ModelMetadata.Subgraph) -> [MetadataVersion] {
        let tensors = subgraph.inputs + subgraph.outputs
        var parts = (subgraph.associatedFiles + tensors.flatMap(\.associatedFiles)).map(Self.init(of:))
        if !subgraph.inputProcessUnits.isEmpty || !subgraph.outputProcessUnits.isEmpty { parts.append(.subgraphUnits) }
        if !subgraph.inputGroups.isEmpty || !subgraph.outputGroups.isEmpty { parts.append(.tensorGroups) }
        if tensors.contains(where: { $0.content?.properties == .audio }) { parts.append(.audio) }
        if !subgraph.customBlocks.isEmpty { parts.append(.customBlocks) }
        return parts
    }

    private init(of file: ModelMetadata.AssociatedFile) {
        switch file.kind {
        case _ where file.version != nil: self = .fileVersion
        case .vocabulary: self = .vocabulary
        case .scannIndex: self = .searchIndex
        default: self = .first
        }
    }
}

import HearthModelFile

/// What the TensorFlow Lite metadata says that each output is: by the outputs' names; for what they leave open, by the
/// content; then by the group `detection_result`, whose members are location, category and score. Pure.
struct MetadataRoles {
    /// Output indices.
    private(set) var roles: [OutputRole: Int] = [:]

    init(_ metadata: ModelMetadata.Subgraph) {
        for (index, output) in metadata.outputs.enumerated() {
            add(output.name.flatMap(OutputRole.init(metadataName:)), index)
        }
        for (index, output) in metadata.outputs.enumerated() {
            add(Self.role(byContent: output), index)
        }
        let group = metadata.outputGroups.first { $0.name == "detection_result" }
        for (role, name) in zip([OutputRole.boxes, .classes, .scores], group?.tensorNames ?? []) {
            if let index = metadata.outputs.firstIndex(where: { $0.name == name }) { add(role, index) }
        }
    }

    /// The first claim to a role counts, and an output has one role.
    private mutating func add(_ role: OutputRole?, _ index: Int) {
        guard let role, roles[role] == nil, !roles.values.contains(index) else { return }
        roles[role] = index
    }

    private static func role(byContent output: ModelMetadata.Tensor) -> OutputRole? {
        if case .boundingBox = output.content?.properties { return .boxes }
        let kinds = output.associatedFiles.map(\.kind)
        if kinds.contains(.valueLabels) { return .classes }
        if kinds.contains(.axisLabels) || kinds.contains(.axisScoreCalibration) { return .scores }
        return nil
    }
}

import HearthModelFile

/// What an output of a detection model holds, in the order in which `TFLite_Detection_PostProcess` returns them.
enum OutputRole: CaseIterable, Sendable {
    case boxes, classes, scores, count

    /// Reads the words of AutoML's `tflite_metadata.json`.
    init?(exportName: String) {
        switch exportName {
        case "bounding_boxes": self = .boxes
        case "class_labels": self = .classes
        case "class_confidences": self = .scores
        case "num_of_boxes": self = .count
        default: return nil
        }
    }

    /// Reads the names that TensorFlow's Object Detection API gives outputs.
    init?(objectDetectionName: String) {
        switch objectDetectionName {
        case "detection_boxes": self = .boxes
        case "detection_classes": self = .classes
        case "detection_scores": self = .scores
        case "num_detections": self = .count
        default: return nil
        }
    }

    /// Reads the names that Azure Custom Vision gives outputs.
    init?(customVisionName: String) {
        switch customVisionName {
        case "detected_boxes": self = .boxes
        case "detected_classes": self = .classes
        case "detected_scores": self = .scores
        default: return nil
        }
    }

    /// Reads the names that tools for TensorFlow Lite metadata use for outputs.
    init?(metadataName: String) {
        switch metadataName.lowercased() {
        case "location", "locations": self = .boxes
        case "category", "categories", "class", "classes": self = .classes
        case "score", "scores": self = .scores
        case "number of detections", "number_of_detections", "num_detections", "count": self = .count
        default: return nil
        }
    }
}

/// What each output holds according to the TensorFlow Lite metadata. It reads the outputs' names first, then their
/// content, then the group `detection_result`, whose members are location, category and score. Free of side effects.
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

    /// The first output found for a role keeps it, and an output has one role.
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

/// What an output of a detection model holds. In the order in which `TFLite_Detection_PostProcess` gives them.
enum OutputRole: CaseIterable, Sendable {
    case boxes, classes, scores, count

    /// By the words of AutoML's `tflite_metadata.json`.
    init?(exportName: String) {
        switch exportName {
        case "bounding_boxes": self = .boxes
        case "class_labels": self = .classes
        case "class_confidences": self = .scores
        case "num_of_boxes": self = .count
        default: return nil
        }
    }

    /// By the names that writers of TensorFlow Lite metadata give the outputs.
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

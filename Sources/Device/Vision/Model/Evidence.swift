/// What says how a model takes images or what its outputs mean, the most reliable first.
enum Evidence: String, Sendable, Hashable {
    /// The options of the caller.
    case stated
    /// The file `image_processing.json` in the model's zip.
    case packed
    /// An operator of the model.
    case `operator`
    /// The TensorFlow Lite metadata.
    case metadata
    /// AutoML's `tflite_metadata.json`.
    case export
    /// The description that the model's exporter stored in the zip.
    case exporter
    /// The names of the signature's inputs and outputs, or of the tensors.
    case names
    /// The quantization of the tensor.
    case quantization
    /// The shapes of the tensors.
    case shape
    /// What is usual for such models.
    case usual

    /// For people, in brackets or after a colon.
    var text: String {
        switch self {
        case .stated: "as stated"
        case .packed: "image_processing.json in the file"
        case .operator: "operator"
        case .metadata: "metadata"
        case .export: "tflite_metadata.json"
        case .exporter: "the exporter's description in the file"
        case .names: "names of outputs"
        case .quantization: "quantization"
        case .shape: "shapes"
        case .usual: "usual for such models"
        }
    }
}

import HearthModelFile
import TensorFlowLite

/// One output of a model, with what the metadata says about it.
struct ModelOutput: Sendable {
    /// Its place among the model's outputs.
    let index: Int
    let description: Tensor.Description
    /// nil when the model has no metadata, or none for this output.
    let metadata: ModelMetadata.Tensor?

    /// The threshold below which the metadata's author drops scores.
    var scoreThreshold: Float? {
        for case .scoreThresholding(let threshold) in metadata?.processUnits ?? [] { return threshold }
        return nil
    }
}

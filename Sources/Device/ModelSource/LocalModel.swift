public import Foundation
import HearthModelFile

/// A model that is stored on this device.
open class LocalModel: NSObject {
    /// The absolute path of the model file; with a manifest, the file that the manifest names.
    public let path: String
    /// The absolute path of the AutoML manifest, if the model was created with one.
    public let manifestPath: String?
    /// A label file that replaces the model's own; Hearth's addition.
    public let labelsPath: String?

    /// Creates a model from a path. The file is not opened here: the labeler, detector or interpreter that uses the
    /// model reports errors.
    /// - Parameter path: A `.tflite` file (plain or packed), an AutoML bundle's folder, or an exported `.zip` of one.
    public init(path: String) {
        self.path = path
        manifestPath = nil
        labelsPath = nil
    }

    /// Creates a model with a separate label file, which has one label per line.
    /// - Parameters:
    ///   - path: A `.tflite` file (plain or packed), an AutoML bundle's folder, or an exported `.zip` of one.
    ///   - labelsPath: The label file; nil for the model's own labels.
    public init(path: String, labelsPath: String?) {
        self.path = path
        manifestPath = nil
        self.labelsPath = labelsPath
    }

    /// Creates the model that an AutoML manifest names; nil when the manifest is missing or invalid.
    public init?(manifestPath: String) {
        guard let json = FileManager.default.contents(atPath: manifestPath),
            let manifest = try? AutoMLManifest(json: Array(json))
        else { return nil }
        path =
            URL(fileURLWithPath: manifestPath).deletingLastPathComponent()
            .appendingPathComponent(manifest.modelFile).path
        self.manifestPath = manifestPath
        labelsPath = nil
    }
}

/// The app's own TensorFlow Lite model, stored on this device.
open class CustomLocalModel: LocalModel {
    /// Creates a model from a path. The file is not opened here: the interpreter, labeler or detector that uses the
    /// model reports errors.
    /// - Parameter modelPath: The absolute path of the `.tflite` file.
    public init(modelPath: String) {
        super.init(path: modelPath)
    }
}

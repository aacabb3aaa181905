public import Foundation
import HearthModelFile

/// A model that lies on this device.
open class LocalModel: NSObject {
    /// Absolute path of the model file; with a manifest, the file that it names.
    public let path: String
    /// Absolute path of the AutoML manifest, when the model was given by one.
    public let manifestPath: String?
    /// A label file to use instead of the model's own; Hearth's addition.
    public let labelsPath: String?

    /// A `.tflite` file (plain or packed), an AutoML bundle's folder, or an exported `.zip` of one. It is not opened
    /// here: whoever uses the model reports what is wrong with it.
    public init(path: String) {
        self.path = path
        manifestPath = nil
        labelsPath = nil
    }

    /// A model with a label file of its own, one label per line.
    public init(path: String, labelsPath: String?) {
        self.path = path
        manifestPath = nil
        self.labelsPath = labelsPath
    }

    /// The model that an AutoML manifest names; nil when the manifest is missing or not valid.
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

/// A TensorFlow Lite model of the app's own that lies on this device.
open class CustomLocalModel: LocalModel {
    /// - Parameter modelPath: Absolute path of the `.tflite` file. It is not opened here: whoever uses the model reports
    ///   what is wrong with it.
    public init(modelPath: String) {
        super.init(path: modelPath)
    }
}

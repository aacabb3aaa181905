/// A TensorFlow Lite model of the app's own that lies on this device.
open class CustomLocalModel: LocalModel {
    /// - Parameter modelPath: Absolute path of the `.tflite` file. It is not opened here: whoever uses the model reports
    ///   what is wrong with it.
    public init(modelPath: String) {
        super.init(path: modelPath)
    }
}

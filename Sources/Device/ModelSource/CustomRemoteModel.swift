/// A TensorFlow Lite model of the app's own that lies on a server.
open class CustomRemoteModel: RemoteModel {
    /// - Parameter name: The name that the model was published under. Not checked here: an unknown name is reported
    ///   when the model is fetched or used.
    public override init(name: String) {
        super.init(name: name)
    }

    /// The same for apps written for ML Kit.
    public init(remoteModelSource: RemoteModelSource) {
        super.init(name: remoteModelSource.name)
    }
}

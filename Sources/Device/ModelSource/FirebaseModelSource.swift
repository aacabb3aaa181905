/// A model that was published with Firebase ML, or with the server that took its place.
open class FirebaseModelSource: RemoteModelSource {
    /// - Parameter name: The name that the model was published under. Not checked here: an unknown name is reported
    ///   when the model is fetched or used.
    public override init(name: String) {
        super.init(name: name)
    }
}

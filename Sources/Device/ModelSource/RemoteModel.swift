public import Foundation

/// A model that lies on a server and is fetched to this device. Made through a subclass such as ``CustomRemoteModel``.
open class RemoteModel: NSObject {
    /// The name that the model was published under.
    public let name: String

    init(name: String) {
        self.name = name
    }
}

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

/// Where a remote model comes from. Made through a subclass such as ``FirebaseModelSource``.
open class RemoteModelSource: NSObject {
    /// The name that the model was published under.
    let name: String

    init(name: String) {
        self.name = name
    }
}

/// A model that was published with Firebase ML, or with the server that took its place.
open class FirebaseModelSource: RemoteModelSource {
    /// - Parameter name: The name that the model was published under. Not checked here: an unknown name is reported
    ///   when the model is fetched or used.
    public override init(name: String) {
        super.init(name: name)
    }
}

public import Foundation

/// A model that is stored on a server and downloaded to this device. Create one through a subclass such as
/// ``CustomRemoteModel``.
open class RemoteModel: NSObject {
    /// The name under which the model was published.
    public let name: String

    init(name: String) {
        self.name = name
    }
}

/// The app's own TensorFlow Lite model, stored on a server.
open class CustomRemoteModel: RemoteModel {
    /// Creates a model by its name. The name is not checked here: downloading or using the model reports an unknown
    /// name.
    /// - Parameter name: The name under which the model was published.
    public override init(name: String) {
        super.init(name: name)
    }

    /// Creates a model by the name in an ML Kit source. The name is not checked here.
    public init(remoteModelSource: RemoteModelSource) {
        super.init(name: remoteModelSource.name)
    }
}

/// Where a remote model is published. Create one through a subclass such as ``FirebaseModelSource``.
open class RemoteModelSource: NSObject {
    /// The name under which the model was published.
    let name: String

    init(name: String) {
        self.name = name
    }
}

/// A model that was published with Firebase ML, or with the server that replaces it.
open class FirebaseModelSource: RemoteModelSource {
    /// Creates a source by the model's name. The name is not checked here: downloading or using the model reports an
    /// unknown name.
    /// - Parameter name: The name under which the model was published.
    public override init(name: String) {
        super.init(name: name)
    }
}

public import Foundation

/// A model that lies on a server and is fetched to this device. Made through a subclass such as ``CustomRemoteModel``.
open class RemoteModel: NSObject {
    /// The name that the model was published under.
    public let name: String

    init(name: String) {
        self.name = name
    }
}

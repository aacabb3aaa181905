public import Foundation

/// Where a remote model comes from. Made through a subclass such as ``FirebaseModelSource``.
open class RemoteModelSource: NSObject {
    /// The name that the model was published under.
    let name: String

    init(name: String) {
        self.name = name
    }
}

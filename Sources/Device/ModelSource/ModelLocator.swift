import Synchronization

/// Knows which remote models are installed on this device. Whoever fetches models registers one; whoever runs models
/// asks it, so that neither has to import the other.
public protocol ModelLocator: Sendable {
    /// Absolute path of the newest complete copy of the remote model `name`; nil while there is none.
    ///
    /// Asking for a model that is not installed starts its download and returns at once. Called on any thread.
    func localPath(ofRemoteModel name: String) -> String?
}

/// The process's ``ModelLocator``. Safe to use from any thread.
public enum ModelLocatorRegistry {
    private static let registered = Mutex<(any ModelLocator)?>(nil)

    /// nil until one is registered.
    public static var locator: (any ModelLocator)? { registered.withLock { $0 } }

    /// Takes the place of the one registered before; nil takes that one away.
    public static func register(_ locator: (any ModelLocator)?) {
        registered.withLock { $0 = locator }
    }
}

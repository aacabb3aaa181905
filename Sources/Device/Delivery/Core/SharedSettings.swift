import Synchronization

/// The settings as the app last set them. Use it from any thread.
final class SharedSettings: Sendable {
    private let settings = Mutex(DeliverySettings())

    var value: DeliverySettings {
        get { settings.withLock { $0 } }
        set { settings.withLock { $0 = newValue } }
    }
}

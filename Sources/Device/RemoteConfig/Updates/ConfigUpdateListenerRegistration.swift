public import Foundation

/// A listener's part in the updates. Forgetting it does not remove the listener.
public final class ConfigUpdateListenerRegistration: NSObject, Sendable {
    private let removal: @Sendable () -> Void

    init(removal: @escaping @Sendable () -> Void) { self.removal = removal }

    /// No call begins after this one on the listener's queue. The last listener that goes ends the connection.
    public func remove() { removal() }
}

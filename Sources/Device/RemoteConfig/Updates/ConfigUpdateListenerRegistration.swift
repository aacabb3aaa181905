public import Foundation

/// A listener's part in the updates. Forgetting it does not remove the listener. Open for the mocks of apps' tests.
///
/// `@unchecked Sendable`: what is stored here never changes; a subclass answers for what it adds.
open class ConfigUpdateListenerRegistration: NSObject, @unchecked Sendable {
    private let removal: @Sendable () -> Void

    /// The registration of no listener, for mocks.
    public override init() { removal = {} }

    /// The registration of what `removal` ends, for apps' tests. Hearth's addition.
    public init(removal: @escaping @Sendable () -> Void) { self.removal = removal }

    /// No call begins after this one on the listener's queue. The last listener that goes ends the connection.
    open func remove() { removal() }
}

public import Foundation

extension RemoteConfig {
    /// Calls `listener` on a background queue, one call after the other, whenever the server has a new template and what it
    /// gives this installation was fetched. Activating is the listener's choice.
    ///
    /// While somebody listens, one connection to the server is open. When it breaks it is opened again, after longer and
    /// longer pauses; after seven failures in a row listeners are told once, and trying goes on. A server that has no updates
    /// for this app is not asked again until another listener comes.
    @discardableResult
    public func addOnConfigUpdateListener(
        remoteConfigUpdateCompletion listener: @escaping (RemoteConfigUpdate?, (any Error)?) -> Void
    ) -> ConfigUpdateListenerRegistration {
        updates.add(listener)
    }

    /// The same as a sequence. It ends by throwing what a listener is told as an error; ending its task removes the listener,
    /// and deleting the app ends it without an error.
    public var configUpdates: RemoteConfigUpdateSequence { RemoteConfigUpdateSequence(config: self) }
}

/// What was fetched anew because the server announced it. Open for the mocks of apps' tests.
///
/// `@unchecked Sendable`: what is stored here never changes; a subclass answers for what it adds.
open class RemoteConfigUpdate: NSObject, @unchecked Sendable {
    private let keys: Set<String>

    /// The keys whose values differ from the activated ones, or that an experiment varies which this installation has entered or
    /// left since.
    open var updatedKeys: Set<String> { keys }

    /// An update of no keys, for mocks.
    public override init() { keys = [] }

    /// An update of these keys, for apps' tests. Hearth's addition.
    public init(updatedKeys: Set<String>) { keys = updatedKeys }
}

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

/// The updates of a configuration, one after the other. Each iterator listens on its own, from its making on.
public struct RemoteConfigUpdateSequence: AsyncSequence, Sendable {
    /// One update.
    public typealias Element = RemoteConfigUpdate

    let config: RemoteConfig

    /// Listens from its making until it is released.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var iterator: AsyncThrowingStream<RemoteConfigUpdate, any Error>.Iterator

        init(config: RemoteConfig) {
            let (stream, continuation) = AsyncThrowingStream<RemoteConfigUpdate, any Error>.makeStream()
            let registration = config.updates.add { update, error in
                switch (update, error) {
                case (let update?, _): continuation.yield(update)
                case (nil, let error): continuation.finish(throwing: error)
                }
            } end: {
                continuation.finish()
            }
            continuation.onTermination = { _ in registration.remove() }
            iterator = stream.makeAsyncIterator()
        }

        /// The next update, once there is one; nil after the app was deleted, or when the task was ended.
        ///
        /// - Throws: `NSError` in ``RemoteConfigUpdateErrorDomain``, once; the sequence has ended then.
        public mutating func next() async throws -> RemoteConfigUpdate? { try await iterator.next() }
    }

    /// Begins to listen.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(config: config) }
}

public import Foundation

extension RemoteConfig {
    /// Calls `listener` on a background queue, one call after the other, whenever the server has a new template and its
    /// values for this installation were fetched. The listener decides about activating them.
    ///
    /// While there are listeners, one connection to the server is open. A connection that ends is opened again after a
    /// growing backoff. After seven failures in a row, listeners get one error, and the attempts continue. A server
    /// that refuses updates for this app gets no further calls until another listener is added.
    @discardableResult
    public func addOnConfigUpdateListener(
        remoteConfigUpdateCompletion listener: @escaping (RemoteConfigUpdate?, (any Error)?) -> Void
    ) -> ConfigUpdateListenerRegistration {
        updates.add(listener)
    }

    /// The updates as a sequence. It throws the error that a listener would get, and ends. Cancelling its task removes
    /// the listener; deleting the app ends it without an error.
    public var configUpdates: RemoteConfigUpdateSequence { RemoteConfigUpdateSequence(config: self) }
}

/// The keys of an announced update that was fetched. Open for the mocks of apps' tests.
///
/// `@unchecked Sendable`: the stored properties here never change; a subclass is responsible for its own.
open class RemoteConfigUpdate: NSObject, @unchecked Sendable {
    private let keys: Set<String>

    /// The keys whose values differ from the activated ones, and the keys of experiments that this installation has
    /// entered or left since the activation.
    open var updatedKeys: Set<String> { keys }

    /// An update of no keys, for mocks.
    public override init() { keys = [] }

    /// An update of these keys, for apps' tests. Hearth's addition.
    public init(updatedKeys: Set<String>) { keys = updatedKeys }
}

/// Removes a listener. Releasing this object does not remove the listener. Open for the mocks of apps' tests.
///
/// `@unchecked Sendable`: the stored properties here never change; a subclass is responsible for its own.
open class ConfigUpdateListenerRegistration: NSObject, @unchecked Sendable {
    private let removal: @Sendable () -> Void

    /// A registration without a listener, for mocks.
    public override init() { removal = {} }

    /// A registration that calls `removal`, for apps' tests. Hearth's addition.
    public init(removal: @escaping @Sendable () -> Void) { self.removal = removal }

    /// Removes the listener: no further call begins on the listener's queue. Removing the last listener closes the
    /// connection.
    open func remove() { removal() }
}

/// The updates of a Remote Config, one after the other. Each iterator listens separately, from its creation on.
public struct RemoteConfigUpdateSequence: AsyncSequence, Sendable {
    /// One update.
    public typealias Element = RemoteConfigUpdate

    let config: RemoteConfig

    /// Listens from its creation until it is released.
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

        /// Waits for the next update; nil after the app was deleted or the task was cancelled.
        ///
        /// - Throws: `NSError` in ``RemoteConfigUpdateErrorDomain``, once; the sequence has ended then.
        public mutating func next() async throws -> RemoteConfigUpdate? { try await iterator.next() }
    }

    /// Begins to listen.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(config: config) }
}

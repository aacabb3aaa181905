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

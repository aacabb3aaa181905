/// The updates of a configuration, one after the other. Each iterator listens on its own, from its making on.
public struct RemoteConfigUpdateSequence: AsyncSequence, Sendable {
    public typealias Element = RemoteConfigUpdate

    let config: RemoteConfig

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

        public mutating func next() async throws -> RemoteConfigUpdate? { try await iterator.next() }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(config: config) }
}

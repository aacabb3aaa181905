/// Sends HTTP requests. One method, so that tests and other platforms can stand in with a few lines.
public protocol Transport: Sendable {
    /// Receives status and headers before the first body byte. Throwing aborts the transfer.
    typealias HeadHandler = (TransportResponseHead) throws -> Void
    /// Receives body bytes in order, in pieces of any size, readable only during the call. Throwing aborts the transfer.
    typealias BodyHandler = (UnsafeRawBufferPointer) throws -> Void

    /// Sends `request` and waits for the complete answer. Blocks its thread: never call it on Swift's cooperative
    /// pool; there `response(to:)` does the same. Any number of threads may send at once. Nothing is retried.
    ///
    /// - Parameters:
    ///   - onHead: called once on this thread, for the final answer (not for redirects that are followed).
    ///   - onBody: when given, the body goes there and is not kept.
    /// - Returns: the answer, HTTP errors included.
    /// - Throws: `TransportError` when there is no complete answer; `aborted` with its `cause` when a closure threw.
    func send(
        _ request: TransportRequest, onHead: HeadHandler?, onBody: BodyHandler?
    ) throws(TransportError) -> TransportResponse
}

extension Transport {
    /// Sends `request` and keeps the whole body, up to `maxResponseBytes`. Blocks its thread.
    public func send(_ request: TransportRequest) throws(TransportError) -> TransportResponse {
        try send(request, onHead: nil, onBody: nil)
    }
}

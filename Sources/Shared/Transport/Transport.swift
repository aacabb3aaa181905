import Foundation
import HearthConcurrency

/// Sends HTTP requests. It has one method, so that tests and other platforms can replace it with a few lines.
package protocol Transport: Sendable {
    /// Receives status and headers before the first body byte. Throwing aborts the transfer.
    typealias HeadHandler = (TransportResponseHead) throws -> Void
    /// Receives body bytes in order, in pieces of any size, readable only during the call. Throwing aborts the
    /// transfer.
    typealias BodyHandler = (UnsafeRawBufferPointer) throws -> Void

    /// Sends `request` and waits for the complete answer. Blocks its thread: do not call it on Swift's cooperative
    /// thread pool; use `response(to:)` there. Any number of threads may send at once. It does not retry.
    ///
    /// - Parameters:
    ///   - onHead: Called once on this thread, for the final answer (not for redirects that are followed).
    ///   - onBody: If set, it gets the body, which is not kept.
    /// - Returns: The answer, including HTTP errors.
    /// - Throws: `TransportError` when there is no complete answer; `aborted` with its `cause` when a closure threw.
    func send(
        _ request: TransportRequest, onHead: HeadHandler?, onBody: BodyHandler?
    ) throws(TransportError) -> TransportResponse
}

extension Transport {
    /// Sends `request` and keeps the whole body, up to `maxResponseBytes`. Blocks its thread.
    package func send(_ request: TransportRequest) throws(TransportError) -> TransportResponse {
        try send(request, onHead: nil, onBody: nil)
    }
}

extension Transport {
    /// `send` for async code. The transfer blocks a separate thread, never the cooperative thread pool, so that waiting
    /// transfers do not delay each other. Cancelling the task stops the transfer (`cancelled`).
    ///
    /// - Parameters:
    ///   - onHead: Called once, on the transfer's thread.
    ///   - onBody: Called on the transfer's thread. If set, it gets the body, which is not kept.
    package func response(
        to request: TransportRequest, onHead: (@Sendable (TransportResponseHead) throws -> Void)? = nil,
        onBody: (@Sendable (UnsafeRawBufferPointer) throws -> Void)? = nil
    ) async throws(TransportError) -> TransportResponse {
        var request = request
        let cancellation = request.cancellation ?? Cancellation()
        request.cancellation = cancellation
        let result = await withTaskCancellationHandler {
            await self.outcome(of: request, onHead: onHead, onBody: onBody)
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }

    private func outcome(
        of request: TransportRequest, onHead: (@Sendable (TransportResponseHead) throws -> Void)?,
        onBody: (@Sendable (UnsafeRawBufferPointer) throws -> Void)?
    ) async -> Result<TransportResponse, TransportError> {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                do throws(TransportError) {
                    continuation.resume(returning: .success(try self.send(request, onHead: onHead, onBody: onBody)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
    }
}

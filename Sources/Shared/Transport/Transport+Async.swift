import Foundation

extension Transport {
    /// `send` for async code. The transfer blocks a thread of its own, never the cooperative pool, so waiting
    /// transfers cannot hold each other up. Cancelling the task stops the transfer (`cancelled`).
    ///
    /// - Parameters:
    ///   - onHead: called once, on the transfer's thread.
    ///   - onBody: called on the transfer's thread; when given, the body goes there and is not kept.
    public func response(
        to request: TransportRequest, onHead: (@Sendable (TransportResponseHead) throws -> Void)? = nil,
        onBody: (@Sendable (UnsafeRawBufferPointer) throws -> Void)? = nil
    ) async throws(TransportError) -> TransportResponse {
        var request = request
        let cancellation = request.cancellation ?? TransportCancellation()
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

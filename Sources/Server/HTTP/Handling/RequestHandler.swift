/// Decides what happens with a request once its head has arrived.
package protocol RequestHandler: Sendable {
    /// Called once per request on one of the server's threads, before any body is read. Other connections of that
    /// thread wait meanwhile: work that takes long belongs behind `Outcome.deferred`.
    func plan(for head: RequestHead) -> RequestPlan
}

/// What to do with a request's body.
package enum RequestPlan {
    /// Answer without the body. Where one was announced it is not asked for (`Expect: 100-continue`) and the
    /// connection closes after the answer.
    case answer(Response)
    /// Collect a body of at most `limitBytes` in memory, then call the function; a larger one is answered with 413
    /// as soon as that is known. Also the plan of a body-less request that wants to defer its answer.
    case buffered(limitBytes: Int, @Sendable (RequestHead, [UInt8]) -> Outcome)
    /// Hand the body on as it arrives.
    case streaming(any BodyReceiver)
}

/// How a request ends.
package enum Outcome {
    case respond(Response)
    /// Suspends the connection, then calls the function on the server's thread, which must return soon; the answer may
    /// come from any thread at any time. No thread is held meanwhile. A peer that leaves is noticed only afterwards.
    case deferred((DeferredResponse) -> Void)
    /// Sends the response's head, then what is written to the stream, until that ends: chunked, or to a peer of HTTP/1.0 as
    /// it is with the connection's close behind it. The response's own body is not sent. The function is called on the
    /// server's thread, which must return soon; it is not called for HEAD requests, nor where the server is stopping, which
    /// is answered with 503. No thread is held meanwhile, and the idle limit does not apply while there is nothing to send.
    case stream(Response, (ResponseStream) -> Void)
}

/// Takes a request body piece by piece. Called on the server's threads, one call at a time.
///
/// After the last `receive`, exactly one of `finish` and `abandon` is called, exactly once.
package protocol BodyReceiver: AnyObject {
    /// Bytes of body accepted; `nil` means the server's `bodyBytes`. More are answered with 413 and abandoned.
    var limitBytes: UInt64? { get }

    /// The next bytes, at most one connection buffer of them; valid during the call only.
    ///
    /// - Throws: a refusal, which is answered at once; `abandon` follows and the rest of the body is not read.
    func receive(_ bytes: UnsafeRawBufferPointer) throws(RequestRefusal)

    /// The whole body has arrived.
    func finish() -> Outcome

    /// It will not: the peer went away or stalled, a limit was hit, `receive` refused, or the server is stopping.
    func abandon()
}

extension BodyReceiver {
    package var limitBytes: UInt64? { nil }
}

/// Ends a request early with an answer.
package struct RequestRefusal: Error, Sendable {
    package let response: Response

    package init(_ response: Response) { self.response = response }
}

/// The promise of an answer to a suspended request.
///
/// Resolve it once, from any thread. Dropped unresolved it answers 500, so a lost promise never leaves a peer hanging.
package final class DeferredResponse: Sendable {
    private let suspension: Suspension

    init(_ suspension: Suspension) { self.suspension = suspension }

    deinit { suspension.fail(.internalError) }

    /// Sends the answer and wakes the connection. `false`, and no effect, where the request was answered before:
    /// by an earlier call, or because the server stopped.
    @discardableResult
    package func resolve(with response: Response) -> Bool { suspension.resolve(response) }
}

/// The body of an answer that goes on: whoever keeps this writes pieces from any thread, until there is no more to say or
/// the peer has gone.
///
/// No thread is held meanwhile. Dropped without an end, it ends, so a lost stream never leaves a peer waiting.
package final class ResponseStream: Sendable {
    /// Bytes that may wait for a peer that reads slower than they are written. One that lets more pile up is cut off.
    package static let limitBytes = 64 * 1024

    private let body: StreamedBody

    init(_ body: StreamedBody) { self.body = body }

    deinit { body.end() }

    /// Sends a piece, in a chunk of its own where it is not longer than the connection's buffer (a few KiB).
    ///
    /// - Returns: `false`, and nothing is sent, where the stream has ended, the peer has gone, or was cut off now because
    ///   it does not read.
    @discardableResult
    package func write(_ piece: [UInt8]) -> Bool { body.write(piece) }

    /// Ends the body behind what was written. No effect the second time.
    package func end() { body.end() }

    /// Calls `action` once when the connection is done with the stream, for whatever reason: the end was sent, the peer has
    /// gone, the server stops. On one of the server's threads, or at once where that is past; it must return soon. A second
    /// action takes the place of the first.
    package func onClose(_ action: @escaping @Sendable () -> Void) { body.onClose(action) }
}

/// Decides what happens with a request whose head has arrived.
package protocol RequestHandler: Sendable {
    /// Called once per request on one of the server's threads, before any body is read. Other connections of that
    /// thread wait meanwhile, so slow work belongs in `Outcome.deferred`.
    func plan(for head: RequestHead) -> RequestPlan
}

/// What to do with a request's body.
package enum RequestPlan {
    /// Answer without the body. The server does not ask for an announced body (`Expect: 100-continue`), and closes the
    /// connection after the answer.
    case answer(Response)
    /// Collect a body of at most `limitBytes` in memory, then call the function. The server answers a larger body with
    /// 413 as soon as it knows the size. Also the plan of a request without a body that wants to defer its answer.
    case buffered(limitBytes: Int, @Sendable (RequestHead, [UInt8]) -> Outcome)
    /// Pass the body on as it arrives.
    case streaming(any BodyReceiver)
}

/// How a request ends.
package enum Outcome {
    case respond(Response)
    /// Suspends the connection, then calls the function on the server's thread. The function must return soon; the
    /// answer may come from any thread at any time, and no thread waits for it. A peer that disconnects is noticed only
    /// afterwards.
    case deferred((DeferredResponse) -> Void)
    /// Sends the response's head, then what is written to the stream until the stream ends. The body is chunked; a peer
    /// of HTTP/1.0 gets it unchunked, ended by closing the connection. The response's own body is not sent. The
    /// function is called on the server's thread and must return soon. It is not called for HEAD requests, nor while
    /// the server is stopping, which is answered with 503. No thread waits for the stream, and the idle limit does not
    /// apply while there is nothing to send.
    case stream(Response, (ResponseStream) -> Void)
}

/// Takes a request body piece by piece. Called on the server's threads, one call at a time.
///
/// After the last `receive`, exactly one of `finish` and `abandon` is called, exactly once.
package protocol BodyReceiver: AnyObject {
    /// The most bytes of body to accept; `nil` means the server's `bodyBytes`. A longer body is answered with 413 and
    /// abandoned.
    var limitBytes: UInt64? { get }

    /// The next bytes, at most one connection buffer of them; valid during the call only.
    ///
    /// - Throws: a refusal, which is answered at once; `abandon` follows and the rest of the body is not read.
    func receive(_ bytes: UnsafeRawBufferPointer) throws(RequestRefusal)

    /// The whole body has arrived.
    func finish() -> Outcome

    /// The body will not arrive completely: the peer disconnected or stalled, a limit was exceeded, `receive` refused,
    /// or the server is stopping.
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
/// Resolve it once, from any thread. If it is released without an answer, it answers 500, so that no peer waits for
/// ever.
package final class DeferredResponse: Sendable {
    private let suspension: Suspension

    init(_ suspension: Suspension) { self.suspension = suspension }

    deinit { suspension.fail(.internalError) }

    /// Sends the answer and wakes the connection. Returns `false`, and has no effect, if the request was answered
    /// before: by an earlier call, or because the server stopped.
    @discardableResult
    package func resolve(with response: Response) -> Bool { suspension.resolve(response) }
}

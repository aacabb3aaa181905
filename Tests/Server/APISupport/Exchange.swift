import Dispatch
import HearthAPI

@testable import HearthHTTP

/// One request through a handler without sockets: follows the plan as the HTTP engine does.
enum Exchange {
    /// What the engine allows to receivers that state no limit.
    private static let engineLimitBytes: UInt64 = 64 << 20

    /// - Parameters:
    ///   - pieceBytes: how many bytes of body arrive at a time.
    ///   - breaksOff: whether the peer goes away after the last byte of `body`.
    static func run(
        _ handler: some RequestHandler, _ head: RequestHead, body: [UInt8], pieceBytes: Int, breaksOff: Bool = false
    ) -> Answer? {
        let errors = HearthService.errorRenderer
        let receiver: any BodyReceiver
        switch handler.plan(for: head) {
        case .answer(let response):
            return Answer(head.notes.completed(response), bodyBytesRead: 0)
        case .buffered(let limitBytes, let handle):
            receiver = BodyBuffer(head: head, limitBytes: limitBytes, handle: handle)
        case .streaming(let streaming):
            receiver = streaming
        }
        let incoming = IncomingBody(
            receiver, announced: head.contentLength, limitBytes: receiver.limitBytes ?? engineLimitBytes)
        if let fault = incoming.refusalOfAnnouncement {
            incoming.abandon()
            return Answer(head.notes.completed(errors(fault)), bodyBytesRead: 0)
        }
        var read = 0
        do throws(RequestRefusal) {
            while read < body.count {
                let piece = Array(body[read..<min(read + pieceBytes, body.count)])
                read += piece.count
                try receive(piece, incoming, errors)
            }
        } catch {
            return Answer(head.notes.completed(error.response), bodyBytesRead: read)
        }
        if breaksOff {
            incoming.abandon()
            return nil
        }
        return Answer(head.notes.completed(response(to: incoming.finish(), errors)), bodyBytesRead: read)
    }

    private static func receive(
        _ piece: [UInt8], _ body: IncomingBody, _ errors: ErrorRenderer
    ) throws(RequestRefusal) {
        // `withUnsafeBytes` rethrows untyped errors; carry ours across by hand.
        let result: Result<Void, RequestRefusal> = piece.withUnsafeBytes { bytes in
            do throws(RequestRefusal) { return .success(try body.receive(bytes, errors: errors)) } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private static func response(to outcome: Outcome, _ errors: @escaping ErrorRenderer) -> Response {
        switch outcome {
        case .respond(let response):
            return response
        case .deferred(let start):
            let answered = DispatchSemaphore(value: 0)
            let suspension = Suspension(errors: errors) { answered.signal() }
            start(DeferredResponse(suspension))
            answered.wait()
            return suspension.take() ?? errors(.internalError)
        case .stream(let response, let start):
            // Whoever wants to read on uses a `ListeningDevice`.
            start(ResponseStream(StreamedBody(NoConnection())))
            return response
        }
    }
}

/// Takes nothing of a stream.
private struct NoConnection: StreamedConnection {
    func suspend() {}
    func resume() {}
    func hangUp() {}
}

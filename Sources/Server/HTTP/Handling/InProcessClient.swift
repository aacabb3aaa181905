import Dispatch

/// Makes requests of a handler in the same process, without a connection.
package struct InProcessClient: Sendable {
    private let handler: any RequestHandler
    private let errors: ErrorRenderer

    /// - Parameter errors: makes the answers to bodies that are too large, and to requests without an answer.
    package init(_ handler: any RequestHandler, errors: @escaping ErrorRenderer = HTTPFault.plainText) {
        self.handler = handler
        self.errors = errors
    }

    /// The answer to a request. It blocks until the handler has it, so never call it on the HTTP server's threads.
    ///
    /// - Returns: 501 for an answer that is a stream.
    package func answer(_ head: RequestHead, body: [UInt8] = []) -> Response {
        switch handler.plan(for: head) {
        case .answer(let response):
            return response
        case .buffered(let limitBytes, let answer):
            guard body.count <= limitBytes else { return errors(.bodyTooLarge(limitBytes: UInt64(limitBytes))) }
            return finish(answer(head, body))
        case .streaming(let receiver):
            if let limit = receiver.limitBytes, UInt64(body.count) > limit {
                receiver.abandon()
                return errors(.bodyTooLarge(limitBytes: limit))
            }
            let refusal = body.withUnsafeBytes { bytes -> RequestRefusal? in
                do throws(RequestRefusal) {
                    try receiver.receive(bytes)
                    return nil
                } catch {
                    return error
                }
            }
            if let refusal {
                receiver.abandon()
                return refusal.response
            }
            return finish(receiver.finish())
        }
    }

    private func finish(_ outcome: Outcome) -> Response {
        switch outcome {
        case .respond(let response):
            return response
        case .deferred(let begin):
            let isAnswered = DispatchSemaphore(value: 0)
            let suspension = Suspension(errors: errors, resume: { isAnswered.signal() })
            // The reply's last owner resolves it, so the wait ends.
            begin(DeferredResponse(suspension))
            isAnswered.wait()
            return suspension.take() ?? errors(.internalError)
        case .stream:
            return errors(HTTPFault(status: 501, message: "A handler of this process cannot read a stream."))
        }
    }

    /// The plan for a request whose body arrives on the connection of `head`'s sender. It blocks no thread.
    package func plan(for head: RequestHead) -> RequestPlan {
        let plan = handler.plan(for: head)
        guard case .buffered(let limitBytes, let answer) = plan else { return plan }
        // The engine would give the function the head of the connection's request.
        return .buffered(limitBytes: limitBytes) { _, bytes in answer(head, bytes) }
    }
}

import Dispatch
import Foundation
import HearthManagement
import HearthRouting
import Testing

@testable import HearthHTTP

/// One request through a handler without sockets: follows the plan as the HTTP engine does.
enum InProcessCall {
    /// What the engine allows to receivers that state no limit.
    private static let engineLimitBytes: UInt64 = 64 << 20

    /// - Parameters:
    ///   - pieceBytes: how many bytes of body arrive at a time.
    ///   - breaksOff: whether the peer goes away after the last byte of `body`.
    static func run(
        _ handler: some RequestHandler, _ head: RequestHead, body: [UInt8], pieceBytes: Int, breaksOff: Bool = false
    ) -> TestResponse? {
        let errors = HTTPFault.envelope
        let receiver: any BodyReceiver
        switch handler.plan(for: head) {
        case .answer(let response):
            return TestResponse(head.notes.completed(response), bodyBytesRead: 0)
        case .buffered(let limitBytes, let handle):
            receiver = BodyBuffer(head: head, limitBytes: limitBytes, handle: handle)
        case .streaming(let streaming):
            receiver = streaming
        }
        let incoming = IncomingBody(
            receiver, announced: head.contentLength, limitBytes: receiver.limitBytes ?? engineLimitBytes)
        if let fault = incoming.refusalOfAnnouncement {
            incoming.abandon()
            return TestResponse(head.notes.completed(errors(fault)), bodyBytesRead: 0)
        }
        var read = 0
        do throws(RequestRefusal) {
            while read < body.count {
                let piece = Array(body[read..<min(read + pieceBytes, body.count)])
                read += piece.count
                try receive(piece, incoming, errors)
            }
        } catch {
            return TestResponse(head.notes.completed(error.response), bodyBytesRead: read)
        }
        if breaksOff {
            incoming.abandon()
            return nil
        }
        return TestResponse(head.notes.completed(response(to: incoming.finish(), errors)), bodyBytesRead: read)
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
            // Whoever wants to read on uses a `StreamReader`.
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

/// What a peer would see of an answer.
struct TestResponse {
    let status: Int
    let headers: HTTPHeaders
    let body: [UInt8]
    /// How much of the request's body was taken before the answer.
    let bodyBytesRead: Int

    init(_ response: Response, bodyBytesRead: Int) {
        status = response.status
        headers = response.headers
        self.bodyBytesRead = bodyBytesRead
        switch response.body {
        case .empty: body = []
        case .bytes(let bytes): body = bytes
        case .file(let file, let offset, let length): body = Self.read(file, offset, length)
        }
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a JSON object; empty where it is none.
    var object: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
    }

    /// The value at `response.state.published` and the like.
    subscript(path: String) -> Any? {
        path.split(separator: ".").reduce(object as Any?) { value, key in (value as? [String: Any])?[String(key)] }
    }

    func string(_ path: String) -> String? { self[path] as? String }

    /// Holds the answer against Google's error envelope.
    func expectRefusal(
        _ status: Int, _ kind: String, _ message: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(self.status == status, "\(text)", sourceLocation: sourceLocation)
        #expect(headers["Content-Type"] == "application/json; charset=utf-8", sourceLocation: sourceLocation)
        #expect(self["error.code"] as? Int == status, sourceLocation: sourceLocation)
        #expect(string("error.status") == kind, sourceLocation: sourceLocation)
        #expect(string("error.message")?.isEmpty == false, sourceLocation: sourceLocation)
        if let message { #expect(string("error.message") == message, sourceLocation: sourceLocation) }
        #expect(object.count == 1, "nothing stands beside the envelope", sourceLocation: sourceLocation)
    }

    /// Holds the answer against a finished operation that failed, which is HTTP 200.
    func expectFailedOperation(_ code: Int, _ message: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(status == 200, "\(text)", sourceLocation: sourceLocation)
        #expect(self["done"] as? Bool == true, sourceLocation: sourceLocation)
        #expect(self["error.code"] as? Int == code, sourceLocation: sourceLocation)
        #expect(string("error.message") == message, sourceLocation: sourceLocation)
        #expect(self["response"] == nil, sourceLocation: sourceLocation)
    }

    private static func read(_ file: OwnedDescriptor, _ offset: UInt64, _ length: UInt64) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(length))
        let count = pread(file.rawValue, &bytes, bytes.count, off_t(offset))
        return Array(bytes.prefix(max(0, count)))
    }
}

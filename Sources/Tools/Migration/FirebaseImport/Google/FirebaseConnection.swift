import Foundation
package import HearthConcurrency
import HearthFiles
package import HearthTransport
import HearthWire

/// Makes Google's calls: signs in, waits when Google asks for that, and repeats what a broken connection interrupted.
///
/// Each call blocks its thread. One thread at a time.
package final class FirebaseConnection {
    /// What the user learns during long calls.
    package enum Notice: Sendable {
        /// Google is busy or asks for a pause.
        case waiting(seconds: Double, reason: String)
        /// The import continues a download.
        case resumed(name: String, bytes: UInt64)
    }

    /// How the connection reaches Google.
    package struct Options: Sendable {
        /// A server that plays all of Google's hosts, for a rehearsal; nil for Google's own.
        package var endpoint: String?
        package var trace: FirebaseTrace?
        package var cancellation: Cancellation?
        /// Waits this many seconds.
        package var sleep: @Sendable (Double) -> Void = { Thread.sleep(forTimeInterval: $0) }
        package var onNotice: @Sendable (Notice) -> Void = { _ in }

        package init() {}
    }

    /// One call.
    struct Call {
        var method = "GET"
        var url: String
        var headers: [(String, String)] = []
        var body: [UInt8] = []
        /// What the call is about, for errors: "the list of models".
        var subject: String
    }

    /// Takes the body of a successful answer, piece by piece.
    struct Receiver {
        /// Adds to the request before each attempt, such as where to go on.
        var prepare: (inout TransportRequest) -> Void
        var onHead: (TransportResponseHead) throws -> Void
        var onBody: (UnsafeRawBufferPointer) throws -> Void
        /// Whether the attempts since the last question brought something that stays: then the attempts count anew.
        var hasProgressed: () -> Bool
    }

    /// An answer in JSON.
    struct Answer {
        var value: JSONValue
        var headers: TransportHeaders
        var byteCount: Int
    }

    /// Where a call goes on after a failed attempt.
    private enum Next {
        case finish(TransportResponse)
        case again(afterSeconds: Double, reason: String)
    }

    private static let attemptLimit = 10
    /// A longer pause than this is for people, not for programs.
    private static let longestPauseSeconds: Double = 900
    /// More than any template has: all its values have at most a million characters.
    private static let longestAnswerBytes: UInt64 = 10 << 20
    /// The text of a refusal.
    private static let longestRefusalBytes = 64 << 10

    private let transport: any Transport
    let options: Options

    package init(transport: any Transport, options: Options = Options()) {
        self.transport = transport
        self.options = options
    }

    /// The address of a path on one of Google's hosts.
    func url(_ host: String, _ path: String, query: [(String, String?)] = []) -> String {
        var base = options.endpoint ?? "https://\(host)"
        while base.hasSuffix("/") { base.removeLast() }
        let items = query.compactMap { name, value in value.map { "\(name)=\(Self.encoded($0))" } }
        return base + path + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }

    /// Text as one segment of a path, or as the value of a query item.
    static func encoded(_ text: String) -> String { PercentEncoding.encode(text) }

    /// The answer as JSON.
    ///
    /// - Throws: `refused` with Google's words; `malformedAnswer` if it is not JSON.
    func json(_ call: Call) throws(FirebaseError) -> Answer {
        let response = try send(call)
        guard (200..<300).contains(response.status) else { throw FirebaseError(response, of: call.subject) }
        do {
            return Answer(
                value: try JSONValue(json: response.body), headers: response.headers, byteCount: response.body.count)
        } catch {
            throw FirebaseError(
                .malformedAnswer, "Google's answer about \(call.subject) is not JSON; is a proxy between?", cause: error
            )
        }
    }

    /// The answer, after as many attempts as it needs. It may be a refusal.
    ///
    /// - Parameter receiver: gets the body of each answer with the status 200 or 206, which the returned answer lacks then.
    func send(_ call: Call, to receiver: Receiver? = nil) throws(FirebaseError) -> TransportResponse {
        try check(call)
        var attempt = 1
        while true {
            switch try self.attempt(call, number: attempt, receiver) {
            case .finish(let response): return response
            case .again(let seconds, let reason):
                if seconds > 2 { options.onNotice(.waiting(seconds: seconds, reason: reason)) }
                options.sleep(seconds)
                attempt = receiver?.hasProgressed() == true ? 1 : attempt + 1
            }
        }
    }

    /// Refuses what would cross a network unprotected: keys, tokens, and bytes that nothing confirms.
    private func check(_ call: Call) throws(FirebaseError) {
        let url: TransportURL
        do {
            url = try TransportURL(call.url)
        } catch {
            throw FirebaseError(
                .malformedAnswer, "The address for \(call.subject) is wrong: \(error.message).", cause: error)
        }
        if url.scheme == "https" { return }
        guard Self.isThisMachine(url.host) else {
            throw FirebaseError(
                .malformedAnswer, "The address for \(call.subject) on \(url.host) is http; only https is safe.")
        }
        guard options.endpoint != nil else {
            throw FirebaseError(
                .malformedAnswer,
                "The address for \(call.subject) is on this machine. For a rehearsal, name it with --endpoint.")
        }
    }

    private static func isThisMachine(_ host: String) -> Bool {
        ["localhost", "::1", "[::1]"].contains(host) || host.wholeMatch(of: /127(\.[0-9]{1,3}){3}/) != nil
    }

    private func attempt(_ call: Call, number: Int, _ receiver: Receiver?) throws(FirebaseError) -> Next {
        guard options.cancellation?.isCancelled != true else {
            throw FirebaseError(.cancelled, "The import was stopped.")
        }
        var request = TransportRequest(
            method: call.method, url: call.url, headers: call.headers,
            body: call.body.isEmpty ? .none : .bytes(call.body),
            maxResponseBytes: receiver == nil ? Self.longestAnswerBytes : .max, redirects: .follow(max: 5),
            cancellation: options.cancellation)
        receiver?.prepare(&request)
        var response: TransportResponse
        do throws(TransportError) {
            response = try exchange(request, receiver)
        } catch {
            options.trace?.record(request, failure: error)
            // A receiver's own error is not the connection's.
            if let cause = error.cause as? FirebaseError { throw cause }
            if let cause = error.cause as? FileError { throw FirebaseError(cause) }
            guard error.isRetryable, number < Self.attemptLimit else { throw FirebaseError(error) }
            return .again(afterSeconds: Self.backoffSeconds(number), reason: error.message)
        }
        options.trace?.record(request, response)
        return try next(after: response, call, attempt: number)
    }

    /// Sends once. The receiver gets no body of a refusal, so that it is here for the error and the trace.
    private func exchange(
        _ request: TransportRequest, _ receiver: Receiver?
    ) throws(TransportError) -> TransportResponse {
        guard let receiver else { return try transport.send(request, onHead: nil, onBody: nil) }
        var isWanted = false
        var refusal: [UInt8] = []
        var response = try transport.send(
            request,
            onHead: { head in
                isWanted = [200, 206].contains(head.status)
                if isWanted { try receiver.onHead(head) }
            },
            onBody: { bytes in
                if isWanted {
                    try receiver.onBody(bytes)
                } else {
                    refusal += bytes.prefix(Self.longestRefusalBytes - refusal.count)
                }
            })
        if !isWanted { response.body = refusal }
        return response
    }

    private func next(
        after response: TransportResponse, _ call: Call, attempt: Int
    ) throws(FirebaseError) -> Next {
        guard [408, 429, 500, 502, 503, 504].contains(response.status) else { return .finish(response) }
        let asked = RetryAfter.seconds(in: response.headers, nowSeconds: Timestamp.now.seconds)
        if let asked, asked > Self.longestPauseSeconds {
            throw FirebaseError(
                .busy,
                "Google asks to wait \(Int(asked)) seconds before \(call.subject). Run the command again then: it continues.",
                status: response.status)
        }
        guard attempt < Self.attemptLimit else { return .finish(response) }
        let words =
            (try? JSONValue(json: response.body))?["error"]?["message"]?.text ?? "HTTP status \(response.status)"
        return .again(afterSeconds: asked.map { max($0, 0.05) } ?? Self.backoffSeconds(attempt), reason: words)
    }

    /// About a quarter of a second, then twice as long each time, up to about half a minute. Chance keeps several imports from
    /// calling at the same moments.
    private static func backoffSeconds(_ attempt: Int) -> Double {
        min(30, 0.25 * Double(1 << min(attempt - 1, 8))) * Double.random(in: 0.8...1.2)
    }
}

import Foundation
package import HearthConcurrency
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

    /// Where a call goes on after a failed attempt.
    private enum Next {
        case finish(TransportResponse)
        case again(afterSeconds: Double, reason: String)
    }

    private static let attemptLimit = 10
    /// A longer pause than this is for people, not for programs.
    private static let longestPauseSeconds: Double = 900

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
    static func encoded(_ text: String) -> String {
        let allowed = CharacterSet(charactersIn: "-._~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
        return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }

    /// The answer as JSON, and its headers.
    ///
    /// - Throws: `refused` with Google's words; `malformedAnswer` if it is not JSON.
    func json(_ call: Call) throws(FirebaseError) -> (value: JSONValue, headers: TransportHeaders) {
        let response = try send(call)
        guard response.status == 200 else { throw FirebaseError(response, of: call.subject) }
        do {
            return (try JSONValue(json: response.body), response.headers)
        } catch {
            throw FirebaseError(
                .malformedAnswer, "Google's answer about \(call.subject) is not JSON; is a proxy between?", cause: error
            )
        }
    }

    /// The answer, after as many attempts as it needs. It may be a refusal.
    ///
    /// - Parameters:
    ///   - prepare: adds to the request before each attempt, such as where to go on.
    ///   - onHead: gets status and headers of each attempt.
    ///   - onBody: gets the body of each attempt; the answer's own body is empty then.
    func send(
        _ call: Call, prepare: (inout TransportRequest) -> Void = { _ in },
        onHead: ((TransportResponseHead) throws -> Void)? = nil,
        onBody: ((UnsafeRawBufferPointer) throws -> Void)? = nil
    ) throws(FirebaseError) -> TransportResponse {
        var attempt = 1
        while true {
            switch try self.attempt(call, number: attempt, prepare, onHead, onBody) {
            case .finish(let response): return response
            case .again(let seconds, let reason):
                if seconds > 2 { options.onNotice(.waiting(seconds: seconds, reason: reason)) }
                options.sleep(seconds)
                attempt += 1
            }
        }
    }

    private func attempt(
        _ call: Call, number: Int, _ prepare: (inout TransportRequest) -> Void,
        _ onHead: ((TransportResponseHead) throws -> Void)?, _ onBody: ((UnsafeRawBufferPointer) throws -> Void)?
    ) throws(FirebaseError) -> Next {
        guard options.cancellation?.isCancelled != true else {
            throw FirebaseError(.cancelled, "The import was stopped.")
        }
        var request = TransportRequest(
            method: call.method, url: call.url, headers: call.headers,
            body: call.body.isEmpty ? .none : .bytes(call.body),
            maxResponseBytes: onBody == nil ? 64 << 20 : .max, redirects: .follow(max: 5),
            cancellation: options.cancellation)
        prepare(&request)
        let response: TransportResponse
        do throws(TransportError) {
            response = try transport.send(request, onHead: onHead, onBody: onBody)
        } catch {
            options.trace?.record(request, failure: error)
            // A receiver's own error is not the connection's.
            if let cause = error.cause as? FirebaseError { throw cause }
            guard error.isRetryable, number < Self.attemptLimit else { throw FirebaseError(error) }
            return .again(afterSeconds: Self.backoffSeconds(number), reason: error.message)
        }
        options.trace?.record(request, response)
        return try next(after: response, call, attempt: number)
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

    /// A quarter of a second, then twice as long each time, up to half a minute.
    private static func backoffSeconds(_ attempt: Int) -> Double {
        min(30, 0.25 * Double(1 << min(attempt - 1, 8)))
    }
}

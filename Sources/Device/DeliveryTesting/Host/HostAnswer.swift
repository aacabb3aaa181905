import Foundation
package import HearthTransport
package import HearthWire

/// Changes an answer, or throws an error instead. Called on the sending thread, where it may block.
package typealias AnswerChange = @Sendable (TransportRequest, inout HostAnswer) throws(TransportError) -> Void

/// An answer of a host, and how it arrives.
package struct HostAnswer: Sendable {
    package var status: Int
    package var headers: [(String, String)]
    package var body: [UInt8]
    /// The position of the body in its file; not 0 when the request was for a part.
    package var bodyOffset = 0
    /// Whether the body is repeated without end.
    package var isEndless = false
    /// The connection ends after this many bytes of the body.
    package var breaksAfter: Int?
    /// No further bytes arrive after this many bytes of the body.
    package var stallsAfter: Int?
    /// The rate at which the body arrives; nil for immediately.
    package var bytesPerSecond: UInt64?

    package init(status: Int = 200, headers: [(String, String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package static func error(_ status: CanonicalStatus, _ message: String) -> HostAnswer {
        json(ErrorEnvelope(status, message), status: status.httpStatus)
    }

    /// An answer of any status, with the kind of error that belongs to it.
    static func failed(_ status: Int) -> HostAnswer {
        let kinds: [CanonicalStatus] = [
            .invalidArgument, .unauthenticated, .permissionDenied, .notFound, .resourceExhausted, .internal,
            .unavailable,
        ]
        let kind = kinds.first { $0.httpStatus == status } ?? CanonicalStatus(rawValue: "UNKNOWN")
        return json(ErrorEnvelope(kind, "The host answers with status \(status).", httpStatus: status), status: status)
    }

    package static func json(_ value: some Encodable, status: Int = 200) -> HostAnswer {
        HostAnswer(
            status: status, headers: [("Content-Type", "application/json; charset=UTF-8")],
            body: (try? WireJSON.encode(value)) ?? [])
    }

    package mutating func setHeader(_ name: String, _ value: String?) {
        headers.removeAll { $0.0.lowercased() == name.lowercased() }
        if let value { headers.append((name, value)) }
    }

    /// Replaces a field of the JSON body.
    package mutating func setField(_ name: String, _ value: Any?) {
        var fields = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
        fields[name] = value
        body = Array((try? JSONSerialization.data(withJSONObject: fields)) ?? Data())
    }

    package func field(_ name: String) -> Any? {
        ((try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any])?[name]
    }

    /// Status and headers, with the body's length as a real server announces it.
    var head: TransportResponseHead {
        var headers = headers
        if !isEndless, status != 304, TransportHeaders(headers)["content-length"] == nil {
            headers.append(("Content-Length", String(body.count)))
        }
        return TransportResponseHead(status: status, headers: TransportHeaders(headers))
    }
}

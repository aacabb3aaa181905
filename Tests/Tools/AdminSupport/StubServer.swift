import Foundation
package import HearthAdmin
package import HearthTransport
import HearthWire
import Synchronization

/// Answers calls from a list of rules, and keeps them.
package final class StubServer: Transport {
    package struct Call: Sendable {
        package var method: String
        package var url: String
        package var headers: [String: String]
        package var body: [UInt8]

        package var text: String { "\(method) \(url.replacing("http://stand.in", with: ""))" }
        package var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:]
        }
    }

    package typealias Answer = @Sendable (Call) throws(TransportError) -> TransportResponse

    private let answer: Answer
    private let log = Mutex<[Call]>([])

    package init(_ answer: @escaping Answer) { self.answer = answer }

    package var calls: [Call] { log.withLock { $0 } }
    package var texts: [String] { calls.map(\.text) }

    package func send(
        _ request: TransportRequest, onHead: HeadHandler?, onBody: BodyHandler?
    ) throws(TransportError) -> TransportResponse {
        let body: [UInt8]
        switch request.body {
        case .none: body = []
        case .bytes(let bytes): body = bytes
        case .file(let path, let offset, let length):
            let rest = (FileManager.default.contents(atPath: path) ?? Data()).dropFirst(Int(offset))
            body = Array(length.map { rest.prefix(Int($0)) } ?? rest)
        }
        request.uploadProgress?(UInt64(body.count), UInt64(body.count))
        let call = Call(
            method: request.method, url: request.url,
            headers: Dictionary(request.headers.map { ($0.0.lowercased(), $0.1) }, uniquingKeysWith: { $1 }), body: body
        )
        log.withLock { $0.append(call) }
        return try answer(call)
    }

    /// A client with an admin token, and the pauses that it made.
    package func client(
        project: String? = "p-stand-in", onNotice: @escaping @Sendable (AdminNotice) -> Void = { _ in }
    ) -> (client: AdminClient, pauses: RecordedDelays) {
        let pauses = RecordedDelays()
        let client = AdminClient(
            .token("secret-token", url: "http://stand.in/"), project: project, transport: self,
            sleep: { pauses.add($0) }, onNotice: onNotice)
        return (client, pauses)
    }

    package static func json(_ value: some Encodable, status: Int = 200, headers: [(String, String)] = [])
        -> TransportResponse
    {
        TransportResponse(
            status: status, headers: TransportHeaders(headers), body: (try? WireJSON.encode(value)) ?? [])
    }

    package static func refusal(
        _ status: Int, _ message: String = "no", headers: [(String, String)] = []
    ) -> TransportResponse {
        json(ErrorEnvelope(.internal, message, httpStatus: status), status: status, headers: headers)
    }

    package static func empty(_ status: Int, _ headers: [(String, String)] = []) -> TransportResponse {
        TransportResponse(status: status, headers: TransportHeaders(headers))
    }
}

/// The pauses that a client would have made.
package final class RecordedDelays: Sendable {
    private let list = Mutex<[Double]>([])

    package init() {}

    package var seconds: [Double] { list.withLock { $0 } }

    package func add(_ seconds: Double) { list.withLock { $0.append(seconds) } }
}

import Foundation
import HearthHTTP
import Testing

/// What a peer would see of an answer.
struct Answer {
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

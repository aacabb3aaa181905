import Foundation
import HearthConcurrency
import HearthFiles
import HearthTransport
import HearthWire

/// Writes every call and its answer as a line of JSON, so that a failure can be repeated in a test. Keys, tokens,
/// signatures, addresses of people and the values of parameters are left out.
///
/// Any thread may record.
package final class FirebaseTrace: Sendable {
    /// One line.
    private struct Line: Encodable {
        var time: String
        var method: String
        var url: String
        var headers: [String: String]
        var body: JSONValue?
        var status: Int?
        var answerHeaders: [String: String]?
        var answer: JSONValue?
        var answerBytes: Int?
        /// The storage's word for what is wrong, in XML.
        var answerCode: String?
        var failure: String?
    }

    /// Longer answers are cut: only their number of bytes is written.
    private static let longestAnswerBytes = 256 << 10
    private static let shownHeaders: Set<String> = [
        "accept", "content-length", "content-range", "content-type", "date", "etag", "if-none-match", "range",
        "retry-after", "x-goog-generation", "x-goog-hash", "x-ios-bundle-identifier", "x-android-package",
    ]
    /// Members whose text is a secret, or belongs to a person, or is what the app's owner put into a parameter.
    private static let hiddenMembers: Set<String> = [
        "access_token", "id_token", "token", "authtoken", "refreshtoken", "assertion", "fid", "private_key", "email",
        "imageurl", "value", "client_email", "key", "apikey", "private_key_id", "password", "secret", "signature",
    ]
    private static let hidden = "…"

    private let file: Lock<FileHandle>

    /// - Throws: `invalidFile` if the file exists or cannot be made.
    package init(path: String) throws(FirebaseError) {
        let made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard made >= 0 else {
            throw FirebaseError(
                .invalidFile, "Cannot make the trace \(path): \(String(cString: strerror(errno))). Name a new file.")
        }
        file = Lock(FileHandle(fileDescriptor: made, closeOnDealloc: true))
    }

    func record(_ request: TransportRequest, _ response: TransportResponse) {
        var line = line(request)
        line.status = response.status
        line.answerHeaders = Self.shown(response.headers.map { ($0.name, $0.value) })
        if response.body.count <= Self.longestAnswerBytes, let value = try? JSONValue(json: response.body) {
            line.answer = Self.masked(value)
        } else {
            line.answerBytes = response.body.count
            let text = String(decoding: response.body.prefix(4096), as: UTF8.self)
            line.answerCode = text.firstMatch(of: /<Code>([A-Za-z]{1,60})<\/Code>/).map { String($0.1) }
        }
        write(line)
    }

    func record(_ request: TransportRequest, failure: TransportError) {
        var line = line(request)
        line.failure = "\(failure.code): \(Self.masked(text: failure.message))"
        write(line)
    }

    private func line(_ request: TransportRequest) -> Line {
        var body: JSONValue?
        if case .bytes(let bytes) = request.body {
            body = (try? JSONValue(json: bytes)).map(Self.masked) ?? .text(Self.hidden)
        }
        return Line(
            time: Timestamp.now.rfc3339(fractionDigits: 3), method: request.method, url: Self.masked(url: request.url),
            headers: Self.shown(request.headers), body: body)
    }

    /// A trace that cannot be written must not end the import.
    private func write(_ line: Line) {
        guard let json = try? WireJSON.encode(line) else { return }
        file.withLock { try? $0.write(contentsOf: Data(json + [UInt8(ascii: "\n")])) }
    }

    private static func shown(_ headers: [(String, String)]) -> [String: String] {
        var shown: [String: String] = [:]
        for (name, value) in headers {
            shown[name.lowercased()] = shownHeaders.contains(name.lowercased()) ? value : hidden
        }
        return shown
    }

    /// Only the harmless items of the query: an address of a file may contain a signature that opens it.
    static func masked(url: String) -> String {
        let url = url.prefix { $0 != "#" }.replacing(/:\/\/[^\/?@]*@/, with: "://\(hidden)@")
        guard let mark = url.firstIndex(of: "?") else { return String(url) }
        let items = url[url.index(after: mark)...].split(separator: "&").map { item in
            let name = item.prefix { $0 != "=" }
            let isShown = ["pageSize", "pageToken", "versionNumber", "alt", "filter", "format"].contains(String(name))
            return isShown ? String(item) : "\(name)=\(hidden)"
        }
        return url[..<mark] + "?" + items.joined(separator: "&")
    }

    /// A text without addresses of people, queries of addresses, and long words as tokens are.
    static func masked(text: String) -> String {
        text.replacing(/https?:\/\/[^\s"'<>]+/) { masked(url: String($0.output)) }
            .replacing(/[A-Za-z0-9._%+\-]+@[A-Za-z0-9\-]+(\.[A-Za-z0-9\-]+)+/, with: hidden)
            .replacing(/\b(AIza|ya29\.|eyJ)[A-Za-z0-9._\-]{20,}/, with: hidden)
    }

    static func masked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .list(let items): return .list(items.map(masked))
        case .text(let text): return .text(masked(text: text))
        case .object(let members):
            return .object(
                Dictionary(
                    uniqueKeysWithValues: members.map { name, value in
                        // A person, with name and picture.
                        if name.lowercased() == "updateuser" { return (name, .text(hidden)) }
                        guard hiddenMembers.contains(name.lowercased()) else { return (name, masked(value)) }
                        return (name, hiddenCompletely(value))
                    }))
        default: return value
        }
    }

    /// The value of a hidden member: an object shows which members it has.
    private static func hiddenCompletely(_ value: JSONValue) -> JSONValue {
        if case .object = value { return masked(value) }
        return .text(hidden)
    }
}

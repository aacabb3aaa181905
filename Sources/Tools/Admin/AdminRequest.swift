import Foundation
import HearthTransport
import HearthWire

/// One administration call, without credentials.
struct AdminRequest {
    var method = "GET"
    /// The path below the server's base address, already encoded.
    var path: String
    var headers: [(String, String)] = []
    var body = TransportRequest.Body.none
    var contentType = "application/json"
    /// Whether the call may be made again if its answer was lost.
    var isIdempotent: Bool
    var uploadProgress: TransportRequest.UploadProgress?

    /// A call that reads.
    static func get(_ path: String, query: [(String, String?)] = []) -> AdminRequest {
        AdminRequest(path: path + Self.query(query), isIdempotent: true)
    }

    /// A call that changes something; `body` is sent as JSON.
    static func change(
        _ method: String, _ path: String, query: [(String, String?)] = [], body: (any Encodable)? = nil
    ) throws(AdminError) -> AdminRequest {
        var request = AdminRequest(method: method, path: path + Self.query(query), isIdempotent: false)
        if let body {
            do {
                request.body = .bytes(try WireJSON.encode(body))
            } catch {
                throw AdminError(.invalidRequest, "The request cannot be written as JSON: \(error)", cause: error)
            }
        }
        return request
    }

    /// Text as one segment of a path, or as the value of a query item.
    static func encoded(_ text: String) -> String {
        var allowed = CharacterSet(charactersIn: "-._~")
        allowed.formUnion(CharacterSet(charactersIn: "a"..."z"))
        allowed.formUnion(CharacterSet(charactersIn: "A"..."Z"))
        allowed.formUnion(CharacterSet(charactersIn: "0"..."9"))
        return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }

    /// The items that have a value.
    static func query(_ items: [(String, String?)]) -> String {
        let texts = items.compactMap { name, value in value.map { "\(name)=\(encoded($0))" } }
        return texts.isEmpty ? "" : "?" + texts.joined(separator: "&")
    }
}

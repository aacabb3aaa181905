import HearthTransport
import HearthWire

/// One administration call, without credentials.
struct AdminRequest {
    var method: String
    /// The path below the server's base address, already encoded.
    var path: String
    var headers: [(String, String)] = []
    var body = TransportRequest.Body.none
    var contentType = "application/json"
    /// Whether the call may be made again if its answer was lost.
    var isIdempotent: Bool
    var uploadProgress: TransportRequest.UploadProgress?

    /// The items that have a value.
    private static func query(_ items: [(String, String?)]) -> String {
        let texts = items.compactMap { name, value in value.map { "\(name)=\(PercentEncoding.encode($0))" } }
        return texts.isEmpty ? "" : "?" + texts.joined(separator: "&")
    }
}

extension AdminRequest {
    /// A request of a call, without a body. What only reads may be asked again.
    ///
    /// - Parameters:
    ///   - resource: the name of what the call is about, such as `projects/p/models/1`; nil if `values` are all of its path.
    ///   - values: the other values of its path, in order.
    init(
        _ call: some DescribedCall, of resource: String? = nil, _ values: [String] = [],
        query: [(String, String?)] = []
    ) {
        self.init(
            method: call.method.rawValue, path: call.path.filled(of: resource, values) + Self.query(query),
            isIdempotent: call.method == .get)
    }

    /// A request of a call, with a body in JSON.
    init(
        _ call: some DescribedCall, of resource: String? = nil, _ values: [String] = [],
        query: [(String, String?)] = [], body: some Encodable
    ) throws(AdminError) {
        self.init(call, of: resource, values, query: query)
        do {
            self.body = .bytes(try WireJSON.encode(body))
        } catch {
            throw AdminError(.invalidRequest, "The request cannot be written as JSON: \(error)", cause: error)
        }
    }
}

/// What the description of the HTTP interface says about a route, besides its method and pattern.
struct OperationDescription {
    /// What a caller needs.
    enum Access: Sendable {
        case anyone
        /// An app's key.
        case apiKey
        /// An app's key and an installation's token.
        case device
        case admin
    }

    /// An item of the query.
    struct Query: Sendable {
        let name: String
        let description: String
    }

    let tag: String
    let summary: String
    let access: Access
    var query: [Query] = []
    var request: (any Decodable.Type)?
    var requestMedia: String?
    var response: (any Decodable.Type)?
    var responseMedia: String?
    var answer = "Done."

    /// By method and pattern. A test finds a route without a line here.
    static var table: [String: OperationDescription] {
        deviceOperations.merging(modelOperations) { first, _ in first }
            .merging(configOperations) { first, _ in first }
            .merging(experimentOperations) { first, _ in first }
            .merging(keyOperations) { first, _ in first }
            .merging(storageOperations) { first, _ in first }
            .merging(mirrorOperations) { first, _ in first }
    }

    /// A call that answers JSON of a type.
    static func admin(
        _ tag: String, _ summary: String, _ response: (any Decodable.Type)? = nil, body: (any Decodable.Type)? = nil,
        query: [Query] = []
    ) -> OperationDescription {
        OperationDescription(
            tag: tag, summary: summary, access: .admin, query: query, request: body, response: response)
    }
}

extension OperationDescription.Query {
    typealias Query = OperationDescription.Query

    static let maxAge = Query(
        name: "maxAge",
        description: "How old the counts may be, in seconds, up to 86400, for a quick answer. 0 by default.")
    static let pages = [
        Query(name: "pageSize", description: "Most items of the answer."),
        Query(name: "pageToken", description: "Where the answer begins: nextPageToken of the one before."),
    ]
}

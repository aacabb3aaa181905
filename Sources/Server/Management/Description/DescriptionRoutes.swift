import HearthConcurrency
import HearthHTTP
import HearthRouting

/// The description of the HTTP interface, for generators of clients.
struct DescriptionRoutes {
    private static let pattern = "hearth/v1/openapi.json"

    let routes: [Route]

    /// - Parameter others: all other routes.
    init(describing others: [Route], _ coding: AnswerCoding) {
        let described = others + [Route(.get, Self.pattern) { _, _ in .answer(Response.json([])) }]
        // Made at the first question: most servers are never asked.
        let made = Lock<[UInt8]?>(nil)
        routes = [
            Route(.get, Self.pattern) { head, _ in
                let json = made.withLock { made in
                    if let made { return made }
                    // Texts and lists can always be written as JSON.
                    let json = (try? OpenAPIDocument(described).json) ?? []
                    made = json
                    return json
                }
                return .answer(coding.coded(Response.json(json), for: head))
            }
        ]
    }
}

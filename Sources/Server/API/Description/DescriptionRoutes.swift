import HearthHTTP

/// The description of the HTTP interface, for generators of clients.
struct DescriptionRoutes {
    private let json: [UInt8]

    /// - Parameter routes: all others.
    init(describing routes: [Route]) {
        // Texts and lists can always be written as JSON.
        json = (try? OpenAPIDocument(routes + [Self.route([])]).json) ?? []
    }

    var routes: [Route] { [Self.route(json)] }

    private static func route(_ json: [UInt8]) -> Route {
        Route(.get, "hearth/v1/openapi.json") { _, _ in .answer(Response.json(json)) }
    }
}

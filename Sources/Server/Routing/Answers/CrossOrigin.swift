package import HearthHTTP

/// Lets web pages of other origins call the routes of devices (CORS, as in the Fetch standard).
///
/// These routes need an API key and a token that the page itself sends. They need no cookies, and nothing else that a
/// browser adds by itself. So a page can do no more than any other program, and the answers do not allow credentials.
/// All other routes lack these fields, so browsers hide their answers from pages of other origins.
package struct CrossOrigin {
    private let origins: AllowedOrigins

    /// How long a browser may remember the answer to a preflight; browsers have their own lower limits.
    static let preflightSeconds = 86_400

    /// The fields that Firebase's web clients send, and those in which a device describes itself.
    static let requestFields = [
        "Accept", "Authorization", "Content-Encoding", "Content-Type", "If-None-Match", "If-Range", "Range",
        "X-Accept-Response-Streaming", "X-Firebase-Client", "X-Firebase-RC-Fetch-Type", "X-Goog-Api-Client",
        "X-Goog-Api-Key", "X-Goog-Firebase-If-None-Match", "X-Goog-Firebase-Installations-Auth",
        "X-Google-GFE-Can-Retry", "X-Hearth-App-Version", "X-Hearth-Country", "X-Hearth-Language", "X-Hearth-OS",
        "X-Hearth-Tags",
    ]

    /// The fields of an answer that a page may read, besides those that it always may.
    static let answerFields = [
        "Accept-Ranges", "Content-Range", "ETag", "Retry-After", "X-Hearth-Experiment", "X-Hearth-Model-Version",
    ]

    package init(_ origins: AllowedOrigins) { self.origins = origins }

    /// The routes, open to those pages, and answers to the preflights of browsers.
    package func allowing(_ routes: [Route]) -> [Route] {
        guard !origins.names.isEmpty else { return routes }
        let fields = Dictionary(uniqueKeysWithValues: origins.names.map { ($0, Self.fields(for: $0)) })
        let isAny = origins.isAny
        let open = routes.map { route in
            route.observed { head in
                guard let origin = head.headers["Origin"] else { return }
                head.notes.answerFields = fields[isAny ? "*" : origin] ?? ["Vary": "Origin"]
            }
        }
        return open + preflights(routes)
    }

    /// One for each path, encoded in advance for each origin: a browser sends one before nearly every first call.
    private func preflights(_ routes: [Route]) -> [Route] {
        let isAny = origins.isAny
        return Dictionary(grouping: routes, by: \.name).sorted { $0.key < $1.key }.map { name, routes in
            let methods = routes.map(\.method.rawValue).sorted()
            let answers = Dictionary(
                uniqueKeysWithValues: origins.names.map { ($0, Self.preflight(for: $0, methods).forManyRequests) })
            let refusal = Response(status: 204, headers: ["Vary": "Origin"]).forManyRequests
            return Route(.options, name) { head, _ in
                .answer(answers[isAny ? "*" : head.headers["Origin"] ?? ""] ?? refusal)
            }
        }
    }

    private static func preflight(for origin: String, _ methods: [String]) -> Response {
        var headers: HTTPHeaders = [
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Allow-Methods": methods.joined(separator: ", "),
            "Access-Control-Allow-Headers": requestFields.joined(separator: ", "),
            "Access-Control-Max-Age": String(preflightSeconds),
        ]
        if origin != "*" { headers["Vary"] = "Origin" }
        return Response(status: 204, headers: headers)
    }

    private static func fields(for origin: String) -> HTTPHeaders {
        var headers: HTTPHeaders = [
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Expose-Headers": answerFields.joined(separator: ", "),
        ]
        // A cache must not give one page's answer to another page.
        if origin != "*" { headers["Vary"] = "Origin" }
        return headers
    }
}

import HearthCalls
import HearthConcurrency
import HearthHTTP
import HearthRouting

/// The description of the HTTP interface, for generators of clients.
struct DescriptionRoutes {
    let routes: [CallRoute]

    /// - Parameter others: all other calls.
    init(describing others: [CallDescription], _ coding: AnswerCoding) {
        // Made at the first question: most servers are never asked.
        let made = Lock<[UInt8]?>(nil)
        routes = [
            CallRoute(MonitoringCalls.openAPI) { head, _ in
                let json = made.withLock { made in
                    if let made { return made }
                    // Texts and lists can always be written as JSON.
                    let json = (try? OpenAPIDocument(others + [MonitoringCalls.openAPI.description]).json) ?? []
                    made = json
                    return json
                }
                return .answer(coding.coded(Response.json(json), for: head))
            }
        ]
    }
}

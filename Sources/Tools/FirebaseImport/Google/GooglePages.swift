/// Lists that come in pages.
struct GooglePages {
    let account: GoogleAccount
    let connection: FirebaseConnection

    /// A list that never ends would otherwise fill the memory.
    private static let pageLimit = 1000

    /// - Parameters:
    ///   - member: the member of the answer that has the items; absent in an empty list.
    ///   - subject: what the list is, for errors.
    func items(
        host: String, path: String, member: String, pageSize: Int, subject: String
    ) throws(FirebaseError) -> [JSONValue] {
        var items: [JSONValue] = []
        var token: String?
        for _ in 1...Self.pageLimit {
            let query: [(String, String?)] = [("pageSize", String(pageSize)), ("pageToken", token)]
            let (answer, _) = try account.json(
                FirebaseConnection.Call(url: connection.url(host, path, query: query), subject: subject),
                over: connection)
            items += answer[member]?.items ?? []
            token = answer["nextPageToken"]?.text
            guard token != nil, token != "" else { return items }
        }
        throw FirebaseError(.malformedAnswer, "\(subject) has more than \(Self.pageLimit) pages.")
    }
}

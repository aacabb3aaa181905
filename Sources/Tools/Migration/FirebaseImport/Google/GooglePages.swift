/// Lists that come in pages.
struct GooglePages {
    let account: GoogleAccount
    let connection: FirebaseConnection

    /// A list that never ends would otherwise fill the memory.
    private static let pageLimit = 1000
    private static let byteLimit = 32 << 20
    private static let itemLimit = 20_000

    /// - Parameters:
    ///   - member: the member of the answer that has the items; absent in an empty list.
    ///   - subject: what the list is, for errors.
    func items(
        host: String, path: String, member: String, pageSize: Int, subject: String
    ) throws(FirebaseError) -> [JSONValue] {
        var items: [JSONValue] = []
        var tokens: Set<String> = []
        var bytes = 0
        var token: String?
        for _ in 1...Self.pageLimit {
            let query: [(String, String?)] = [("pageSize", String(pageSize)), ("pageToken", token)]
            let answer = try account.json(
                FirebaseConnection.Call(url: connection.url(host, path, query: query), subject: subject),
                over: connection)
            guard case .object = answer.value else {
                throw FirebaseError(.malformedAnswer, "Google's answer about \(subject) is not an object.")
            }
            items += answer.value[member]?.items ?? []
            bytes += answer.byteCount
            guard bytes <= Self.byteLimit, items.count <= Self.itemLimit else { break }
            guard let next = answer.value["nextPageToken"]?.text, next != "" else { return items }
            guard tokens.insert(next).inserted else {
                throw FirebaseError(.malformedAnswer, "Google's pages of \(subject) begin again and never end.")
            }
            token = next
        }
        throw FirebaseError(
            .malformedAnswer,
            "Google's answer about \(subject) has more items, pages or bytes than any project.")
    }
}

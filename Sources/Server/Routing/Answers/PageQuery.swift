import HearthCatalog
package import HearthHTTP

/// The page of a list that a caller wants: `pageSize` and `pageToken`, or `page_size` and `page_token`.
///
/// A token is the number of the last item on the previous page, so it stays valid when items are deleted.
package struct PageQuery {
    /// At least 1.
    package let size: Int
    /// 0 for the first page.
    package let after: Int64

    /// - Parameter limit: the size of a page if the caller does not ask for a smaller one.
    package init(_ query: QueryItems, limit: Int) throws(APIError) {
        var size = limit
        if let text = query.first("pageSize") ?? query.first("page_size"), !text.isEmpty {
            guard let wanted = Int(text), wanted >= 0 else {
                throw .invalid("pageSize", "This must be a whole number, 1 to \(limit).")
            }
            size = wanted == 0 ? limit : min(wanted, limit)
        }
        self.size = max(1, size)
        guard let token = query.first("pageToken") ?? query.first("page_token"), !token.isEmpty else {
            after = 0
            return
        }
        guard let after = Names.modelID(token) else {
            throw .invalid("pageToken", "This must be the nextPageToken of the page before.")
        }
        self.after = after
    }
}

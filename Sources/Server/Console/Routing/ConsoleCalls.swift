import HearthCatalog
import HearthHTTP
import HearthIdentity

/// Calls of the page's own scripts: `console/api/…` is the API's path, with the session in place of a token. Uploads and tries
/// go this way, because their bodies must not wait in memory.
extension PageServer {
    func callPlan(_ head: RequestHead) -> RequestPlan {
        // What a cookie opens must not stay in a cache that others use; many answers of the API say nothing about that.
        head.notes.answerFields = AnswerFields.ofCalls
        guard let secret = SessionCookie.secret(in: head, origin(head)) else {
            return .answer(Self.refusal(.signedOut))
        }
        // A script of another site cannot set this field without being asked first, and nothing here allows it.
        if head.method != .get {
            guard isFromOwnPage(head) else { return .answer(Self.refusal(.foreignPage)) }
            guard FormToken.isValid(head.headers[FormToken.header] ?? "", secret: secret) else {
                return .answer(Self.refusal(.oldForm))
            }
        }
        do {
            guard let session = try session(secret, isOnHTTPThread: true) else {
                return .answer(Self.refusal(.signedOut))
            }
            var headers = HTTPHeaders()
            for name in Self.passedFields {
                if let value = head.headers[name] { headers[name] = value }
            }
            let inner = try RequestHead(
                method: head.method, target: Self.target(head), headers: headers, contentLength: head.contentLength,
                for: head, checkedCaller: CheckedCaller.signedIn(session.credential))
            defer { head.notes.actor = inner.notes.actor }
            return server.plan(for: inner)
        } catch {
            return .answer(failure(head, error))
        }
    }

    /// What describes a body. Nothing of the cookie reaches the API.
    private static let passedFields = [
        "Accept", "Content-Type", "Content-Range", "Content-Encoding", "If-Match", "If-None-Match", "Range",
        "X-Goog-Upload-Command", "X-Goog-Upload-Offset", "X-Upload-Content-Length", "X-Upload-Content-Type",
    ]

    /// The path and the query as sent, from behind `console/api`. A path that spells these words with escapes names
    /// nothing: a text in the query must not be taken for them.
    private static func target(_ head: RequestHead) -> String {
        let mark = "/console/api"
        guard let range = head.path.firstRange(of: mark) else { return "/" }
        // The target has the scheme and the host cut off, so the path is its beginning.
        return String(head.targetText.dropFirst(head.path.distance(from: head.path.startIndex, to: range.upperBound)))
    }
}

/// A token or key that was right once. Whoever shows it has proven that it was theirs, so it is no secret that it ended.
struct EndedCredential: Error {
    let message: String

    /// - Parameter endedMicroseconds: nil where it is not known.
    static func adminToken(endedMicroseconds: Int64?) -> EndedCredential {
        let when = endedMicroseconds.map { "ended at \(WireTime.text($0))" } ?? "has ended"
        return EndedCredential(message: "This admin token \(when); get a new one (hearth keys token create).")
    }

    static let accessToken = EndedCredential(message: "This access token has expired; get a new one from /token.")

    static let accountKey = EndedCredential(
        message: "This key of a service account was revoked; get a new one (hearth keys account add-key).")
}

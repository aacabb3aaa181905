/// A token or key that was right once. Whoever shows it has proven that it was theirs, so it is no secret that it ended.
struct EndedCredential: Error {
    let message: String

    static func adminToken(endedMicroseconds: Int64) -> EndedCredential {
        EndedCredential(
            message: """
                This admin token ended at \(WireTime.text(endedMicroseconds)); get a new one (hearth keys token create).
                """)
    }

    static let accessToken = EndedCredential(message: "This access token has expired; get a new one from /token.")

    static let accountKey = EndedCredential(
        message: "This key of a service account was revoked; get a new one (hearth keys account add-key).")
}

/// What was revoked, for programs.
struct Revoked: Encodable {
    let revoked: String
    /// The same, under the name that earlier versions gave it.
    let ended: String

    init(_ id: String) {
        revoked = id
        ended = id
    }
}

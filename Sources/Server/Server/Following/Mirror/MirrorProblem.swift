/// Why the main server's answer was not used.
struct MirrorProblem: Error, CustomStringConvertible {
    /// For metrics.
    enum Kind: String, CaseIterable, Sendable {
        /// It does not answer, or not with success.
        case unreachable
        /// The token is wrong or has ended.
        case refused
        /// It answered with something else than agreed.
        case malformed
        /// Its state is older than one before, or that of another server.
        case backwards
        /// Bytes are not those of their hash.
        case wrongBytes = "wrong_bytes"
        /// This machine cannot keep what it sent.
        case storage
    }

    let kind: Kind
    let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

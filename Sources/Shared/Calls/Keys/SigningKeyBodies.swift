import HearthWire

/// Bodies of `/hearth/v1/server/signingKeys`: the keys with which the server signs access tokens, the tokens of devices, and
/// links to files.
///
/// `POST …/signingKeys` without a body makes a key, and `POST …/signingKeys/{id}:retire` retires one; both answer with the
/// key. No answer contains a secret. Times are RFC 3339.
public enum SigningKeyBodies {
    /// A signing key.
    public struct Key: Codable, Sendable, Equatable {
        /// The key's number, from 1 on; `former` for the keys of the server that this one followed before it was promoted,
        /// which are listed until they are retired. It is no secret.
        public var id: String
        /// When it was made. For the first key of a data folder, when its file was.
        public var createTime: String
        /// `signing` for the one that signs new tokens and links, `valid` for others that verify, or `retired`.
        public var state: String
        /// When a new key begins to sign, while it does not yet: several servers get to know it first.
        public var signsFromTime: String?
        /// When the server began to refuse what the key had signed; nil for a key in use.
        public var retireTime: String?
        /// True in the answer to `:retire` when the key was retired already.
        public var unchanged: Bool?

        package init(id: String, createTime: String, state: String, signsFromTime: String?, retireTime: String?) {
            self.id = id
            self.createTime = createTime
            self.state = state
            self.signsFromTime = signsFromTime
            self.retireTime = retireTime
        }
    }

    package struct List: Codable, Sendable {
        /// Oldest first.
        package var signingKeys: [Key]

        package init(signingKeys: [Key]) { self.signingKeys = signingKeys }
    }
}

package import HearthCatalog
import HearthCrypto
package import HearthIdentity
import HearthWire

/// All accounts, keys and tokens that may make admin calls, with what proves them. Ended keys and tokens are included,
/// and refused.
package struct AdminDirectory: Sendable {
    private let accounts: [String: ServiceAccount]
    private let keys: [String: AccountKey]
    private let keysByEmail: [String: [AccountKey]]
    private let keysByClientID: [String: AccountKey]
    private let tokens: [String: AdminToken]

    init(accounts: [ServiceAccount], keys: [AccountKey], tokens: [AdminToken]) {
        self.accounts = Dictionary(accounts.map { ($0.email, $0) }, uniquingKeysWith: { first, _ in first })
        self.keys = Dictionary(keys.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        keysByEmail = Dictionary(grouping: keys, by: \.email)
        keysByClientID = Dictionary(keys.map { ($0.clientID, $0) }, uniquingKeysWith: { first, _ in first })
        self.tokens = Dictionary(tokens.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package func tokenName(id: String) -> String? { tokens[id]?.name }

    /// The keys that may sign assertions for the account.
    package func keys(of email: String) -> [AccountKey] { keysByEmail[email] ?? [] }

    /// The active key with this client id and secret; nil if they belong to no key.
    package func key(
        clientID: String, secret: String, nowMicroseconds: Int64
    ) throws(InactiveCredential) -> AccountKey? {
        let key = keysByClientID[clientID]
        // Compared also for an unknown id, so that it takes as long as a wrong secret.
        let isRight = SecretHash.matches(secret, hex: key?.clientSecretHash ?? Self.placeholderHash)
        guard let key, isRight else { return nil }
        guard key.isActive(atMicroseconds: nowMicroseconds) else { throw .accountKey }
        return key
    }

    /// The principal whose key was exchanged for the access token with these claims; nil if there never was such a key.
    package func principal(
        of claims: AccessTokens.Claims, nowMicroseconds: Int64
    ) throws(InactiveCredential) -> Principal? {
        guard keys[claims.keyID]?.email == claims.subject else { return nil }
        return try principal(
            ofKey: claims.keyID, isReadOnly: claims.readOnly ?? false, nowMicroseconds: nowMicroseconds)
    }

    private func principal(
        ofKey id: String, isReadOnly: Bool, nowMicroseconds: Int64
    ) throws(InactiveCredential) -> Principal? {
        guard let key = keys[id], let account = accounts[key.email] else { return nil }
        guard key.isActive(atMicroseconds: nowMicroseconds) else { throw .accountKey }
        return Principal(account, keyID: id, isReadOnly: isReadOnly)
    }

    /// The principal of a key or token whose owner showed it before; nil if it no longer exists.
    package func principal(
        of credential: Credential, nowMicroseconds: Int64
    ) throws(InactiveCredential) -> Principal? {
        switch credential {
        case .accountKey(let id, let isReadOnly):
            return try principal(ofKey: id, isReadOnly: isReadOnly, nowMicroseconds: nowMicroseconds)
        case .adminToken(let id):
            return try tokens[id].map { token throws(InactiveCredential) in
                try principal(of: token, nowMicroseconds: nowMicroseconds)
            }
        }
    }

    /// The account or token that the audit log calls so; nil once it is of no use any more: the token has ended, or all keys
    /// of the account have.
    package func principal(named actor: String, nowMicroseconds: Int64) -> Principal? {
        if let id = Principal.tokenID(ofActor: actor) {
            return tokens[id].flatMap { try? principal(of: $0, nowMicroseconds: nowMicroseconds) }
        }
        guard let account = accounts[actor],
            keys(of: actor).contains(where: { $0.isActive(atMicroseconds: nowMicroseconds) })
        else { return nil }
        return Principal(account)
    }

    /// The principal of this admin token; nil if there never was such a token.
    package func principal(
        ofAdminToken text: String, nowMicroseconds: Int64
    ) throws(InactiveCredential) -> Principal? {
        let token = NewAdminToken.id(in: text).flatMap { tokens[$0] }
        let isRight = SecretHash.matches(text, hex: token?.secretHash ?? Self.placeholderHash)
        guard let token, isRight else { return nil }
        return try principal(of: token, nowMicroseconds: nowMicroseconds)
    }

    private func principal(
        of token: AdminToken, nowMicroseconds: Int64
    ) throws(InactiveCredential) -> Principal {
        guard token.isActive(atMicroseconds: nowMicroseconds) else {
            // A token whose end was planned while the clock was ahead has ended before its date.
            throw .adminToken(endedMicroseconds: token.endsMicroseconds.flatMap { $0 <= nowMicroseconds ? $0 : nil })
        }
        return Principal(token)
    }

    /// No known secret has this hash.
    private static let placeholderHash = String(repeating: "0", count: 64)
}

/// A token or key that was once valid. Its holder has proven to own it, so the answer may say that it has ended.
package struct InactiveCredential: Error {
    package let message: String

    /// - Parameter endedMicroseconds: nil if it is not known.
    static func adminToken(endedMicroseconds: Int64?) -> InactiveCredential {
        let when = endedMicroseconds.map { "ended at \(WireTime.text($0))" } ?? "has ended"
        return InactiveCredential(message: "This admin token \(when); get a new one (hearth keys token create).")
    }

    package static let accessToken = InactiveCredential(
        message: "This access token has expired; get a new one from /token.")

    package static let removed = InactiveCredential(
        message: "The key or token of this session no longer exists; sign in again.")

    static let accountKey = InactiveCredential(
        message: "This key of a service account was revoked; get a new one (hearth keys account add-key).")
}

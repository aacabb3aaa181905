import HearthCrypto

/// Signs links to files: any client with the link may fetch that one file until the link expires.
package struct LinkSigner: Sendable {
    /// The result of checking a link.
    package enum Check: Sendable, Equatable {
        case valid
        /// The signature is right, but the link is too old, or was signed while the clock was far ahead.
        case expired
        case forged
    }

    /// The longest validity of a link.
    package static let longestSeconds: Int64 = 604_800

    private let secret: ServerSecret

    package init(secret: ServerSecret) { self.secret = secret }

    /// The signature of `path` until `expires` (seconds since 1970).
    package func signature(path: String, expires: Int64) -> String {
        Base64URL.encode(secret.derived.links[0].tag(for: Self.message(path, expires)))
    }

    package func check(path: String, expires: Int64, signature: String, nowSeconds: Int64) -> Check {
        guard signature.utf8.count <= 128, let tag = Base64URL.decode(signature) else { return .forged }
        let message = Self.message(path, expires)
        guard secret.derived.links.contains(where: { $0.isValid(tag, for: message) }) else { return .forged }
        let isAhead = SignedTime.isAhead(expires, lifetimeSeconds: Self.longestSeconds, nowSeconds: nowSeconds)
        return isAhead ? .valid : .expired
    }

    private static func message(_ path: String, _ expires: Int64) -> [UInt8] {
        var message: [UInt8] = []
        message.reserveCapacity(path.utf8.count + 24)
        message.append(contentsOf: String(expires).utf8)
        message.append(UInt8(ascii: " "))
        message.append(contentsOf: path.utf8)
        return message
    }
}

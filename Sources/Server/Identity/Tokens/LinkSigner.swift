import HearthCrypto

/// Signs links to bytes: whoever has the link may fetch that one file until it expires.
package struct LinkSigner: Sendable {
    package enum Check: Sendable, Equatable {
        case valid
        /// Ours, but too old; or from a time when the clock was far ahead.
        case expired
        case forged
    }

    /// The longest that a link may be good for.
    package static let longestSeconds: Int64 = 604_800

    private let key: HMACSHA256

    package init(secret: ServerSecret) { key = secret.key(for: "download link 1") }

    /// The signature of `path` until `expires` (seconds since 1970).
    package func signature(path: String, expires: Int64) -> String {
        Base64URL.encode(key.tag(for: Self.message(path, expires)))
    }

    package func check(path: String, expires: Int64, signature: String, nowSeconds: Int64) -> Check {
        guard signature.utf8.count <= 128, let tag = Base64URL.decode(signature),
            key.isValid(tag, for: Self.message(path, expires))
        else { return .forged }
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

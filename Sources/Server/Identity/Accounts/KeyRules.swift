package import HearthCatalog

/// What API keys and admin tokens may be called, restricted to, and how long they last.
package enum KeyRules {
    package static let platforms = ["ios", "android", "web"]
    /// Ten years.
    package static let longestSeconds: Int64 = 315_360_000
    /// How long an old API key goes on by default: time in which installed apps can be updated.
    package static let defaultGraceSeconds: Int64 = 30 * 86_400

    /// 1 to 64 bytes of text on one line, with no space at either end. Characters that are not seen, or turn the
    /// direction of what follows, would let one key pass for another.
    package static func checkName(_ text: String) throws(CatalogError) {
        guard (1...64).contains(text.utf8.count), text.unicodeScalars.allSatisfy(\.fitsOneLine),
            text.first?.isWhitespace == false,
            text.last?.isWhitespace == false
        else {
            throw CatalogError(
                .invalidArgument,
                "A name has 1 to 64 bytes, without control or format characters and without spaces at its ends.")
        }
    }

    /// Up to 100 bundle ids or package names, each of 1 to 255 letters, digits, dots, hyphens and underscores.
    package static func checkBundleIDs(_ ids: [String]) throws(CatalogError) {
        guard ids.count <= 100 else { throw CatalogError(.invalidArgument, "A key takes up to 100 bundle ids.") }
        guard ids.allSatisfy(isBundleID) else {
            throw CatalogError(
                .invalidArgument, "A bundle id or package name has letters, digits, dots, hyphens and underscores.")
        }
    }

    /// When something ends that lasts that long from now on.
    package static func end(
        afterSeconds seconds: Int64, nowMicroseconds: Int64, atLeast shortest: Int64
    ) throws(CatalogError) -> Int64 {
        guard (shortest...longestSeconds).contains(seconds) else {
            throw CatalogError(.invalidArgument, "Give \(shortest) to \(longestSeconds) seconds, not \(seconds).")
        }
        return nowMicroseconds + seconds * 1_000_000
    }

    /// Refuses to change a key that is refused already, or will be because another has taken its place.
    package static func checkChange(of key: APIKey) throws(CatalogError) {
        guard key.endsMicroseconds == nil else {
            throw CatalogError(.failedPrecondition, "The key '\(key.id)' was revoked or replaced.")
        }
    }

    private static func isBundleID(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
                    || [0x2D, 0x2E, 0x5F].contains(byte)
            }
    }
}

/// A record that is refused from some moment on.
package protocol RevocableRecord {
    /// Nil for one without end.
    var endsMicroseconds: Int64? { get set }
    /// A fact, which no clock that goes back undoes. Whoever ends a record asks for this, not whether it is active: its time may
    /// only seem to be over, by a clock that is wrong and set right later.
    var hasEnded: Bool { get set }
}

extension RevocableRecord {
    package func isActive(atMicroseconds now: Int64) -> Bool {
        !hasEnded && (endsMicroseconds.map { $0 > now } ?? true)
    }

    /// Ends it at `end`, for good where that is not in the future: then an end that was planned earlier stays the one that is told.
    package mutating func end(atMicroseconds end: Int64, nowMicroseconds now: Int64) {
        hasEnded = end <= now
        endsMicroseconds = hasEnded ? min(end, endsMicroseconds ?? end) : end
    }
}

extension AccountKey: RevocableRecord {}
extension APIKey: RevocableRecord {}
extension AdminToken: RevocableRecord {}

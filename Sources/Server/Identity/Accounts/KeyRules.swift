package import HearthCatalog

/// Rules for the names, restrictions and lifetimes of API keys and admin tokens.
package enum KeyRules {
    package static let platforms = ["ios", "android", "web"]
    /// Ten years.
    package static let longestSeconds: Int64 = 315_360_000
    /// How long a replaced API key stays valid by default, so that installed apps can be updated.
    package static let defaultGraceSeconds: Int64 = 30 * 86_400

    /// 1 to 64 bytes of text on one line, of which a reader sees something, without a space at either end. Characters that
    /// change the direction of text could make one key look like another.
    package static func checkName(_ text: String) throws(CatalogError) {
        guard (1...64).contains(text.utf8.count), text.unicodeScalars.allSatisfy(\.fitsOneLine),
            text.first?.isWhitespace == false, text.last?.isWhitespace == false, !text.isInvisible
        else {
            throw CatalogError(
                .invalidArgument,
                "A name must have 1 to 64 bytes, no control characters or marks that change the direction of text, and no spaces "
                    + "at its ends.")
        }
    }

    /// Up to 100 bundle ids or package names, each of 1 to 255 letters, digits, dots, hyphens and underscores.
    package static func checkBundleIDs(_ ids: [String]) throws(CatalogError) {
        guard ids.count <= 100 else { throw CatalogError(.invalidArgument, "A key may have at most 100 bundle ids.") }
        guard ids.allSatisfy(isBundleID) else {
            throw CatalogError(
                .invalidArgument,
                "A bundle id or package name may have only letters, digits, dots, hyphens and underscores.")
        }
    }

    /// The end of something that lasts that long from now on.
    package static func end(
        afterSeconds seconds: Int64, nowMicroseconds: Int64, atLeast shortest: Int64
    ) throws(CatalogError) -> Int64 {
        guard (shortest...longestSeconds).contains(seconds) else {
            throw CatalogError(.invalidArgument, "Give \(shortest) to \(longestSeconds) seconds, not \(seconds).")
        }
        return nowMicroseconds + seconds * 1_000_000
    }

    /// Refuses to change a key that has ended, or whose end is planned because another key replaces it.
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
    /// When it ends or ended, in microseconds since 1970; nil if no end is planned.
    var endsMicroseconds: Int64? { get set }
    /// Stored, so that no clock that goes back undoes it. A caller that ends a record checks this and not `isActive`: a
    /// time may only seem to be over, on a clock that is wrong and is set right later.
    var hasEnded: Bool { get set }
}

extension RevocableRecord {
    package func isActive(atMicroseconds now: Int64) -> Bool {
        !hasEnded && (endsMicroseconds.map { $0 > now } ?? true)
    }

    /// Ends it at `end`. If that is not in the future, it ends for good, and an end that was planned for an earlier
    /// time stays.
    package mutating func end(atMicroseconds end: Int64, nowMicroseconds now: Int64) {
        hasEnded = end <= now
        endsMicroseconds = hasEnded ? min(end, endsMicroseconds ?? end) : end
    }
}

extension AccountKey: RevocableRecord {}
extension APIKey: RevocableRecord {}
extension AdminToken: RevocableRecord {}

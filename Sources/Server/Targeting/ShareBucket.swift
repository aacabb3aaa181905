import HearthCatalog
import HearthCrypto

/// Where an installation stands in the order in which a release takes installations in.
enum ShareBucket {
    /// 0 to 999,999: the first eight bytes of the SHA-256 of `model/release/installation`, big-endian, modulo a million. A
    /// release holds the installations whose bucket is below its share.
    static func bucket(of installationID: String, in release: Release) -> Int {
        let digest = SHA256Hasher.hash("\(release.modelID)/\(release.number)/\(installationID)".utf8)
        let number = digest.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(number % UInt64(Release.wholeShare))
    }
}

import HearthCrypto

/// A share of all installations, in millionths of a percent.
enum PercentRange: Sendable, Hashable {
    case upTo(Int64)
    case above(Int64)
    /// Above the first number, up to and including the second.
    case between(Int64, Int64)

    /// 100 percent, in millionths of a percent.
    static let whole: Int64 = 100_000_000

    func contains(_ bucket: Int64) -> Bool {
        switch self {
        case .upTo(let limit): bucket <= limit
        case .above(let limit): bucket > limit
        case .between(let lower, let upper): bucket > lower && bucket <= upper
        }
    }

    /// The position of an installation among all, 0 to 99,999,999: the SHA-256 of `seed.installation`, or of the
    /// installation alone without a seed, as a big-endian number modulo 100,000,000. Firebase's server-side SDKs use
    /// the same rule; the one for its client templates is not published.
    static func bucket(of installationID: String, seed: String) -> Int64 {
        let text = seed.isEmpty ? installationID : "\(seed).\(installationID)"
        // In pieces, because the number has 256 bits.
        return SHA256Hasher.hash(text.utf8).bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).reduce(0) { rest, place in
                let piece = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
                return (rest << 32 | Int64(piece)) % whole
            }
        }
    }
}

/// A randomly drawn share of all installations, without a condition.
package enum InstallationShare {
    /// Whether the installation is in that share of all, in the order that the seed draws.
    ///
    /// - Parameter microPercents: the range, in millionths of a percent.
    package static func contains(_ installationID: String, microPercents: Range<Int64>, seed: String) -> Bool {
        // Only the evaluation of a template for readers has a device without an id.
        !microPercents.isEmpty && !installationID.isEmpty
            && microPercents.contains(PercentRange.bucket(of: installationID, seed: seed))
    }
}

import HearthCrypto

/// A piece of a resumable upload as an object of its own: `uploads/<id>/<offset>-<length>-<hash>`.
///
/// Why two servers may write the same upload at once. The database's record says how many bytes are confirmed, and only one
/// of the servers advances it. But both may have stored pieces for the same place, and the record does not say whose were
/// confirmed. Three things make this safe:
/// - A piece is visible completely or not at all, and its name contains the hash of its bytes. Other bytes are another
///   object; the same bytes are the same one. So no server overwrites what another has confirmed.
/// - A server advances the record only after its pieces are stored. So the pieces that end at or before the confirmed size
///   contain the confirmed ones, and these cover everything from 0 to that size. What ends beyond is ignored.
/// - A server continues an upload only if all those pieces agree with its bytes, wherever they overlap. Then it has the
///   confirmed bytes, whichever pieces they were. If they differ, the uploader has sent two different files as one, and has
///   to begin again.
struct UploadSegment: Hashable, Sendable {
    /// A longer piece is stored as several segments.
    static let longest: UInt64 = 64 << 20

    let offset: UInt64
    let length: UInt64
    let sha256: SHA256Digest

    var end: UInt64 { offset + length }
    var range: Range<UInt64> { offset..<end }

    init(offset: UInt64, length: UInt64, sha256: SHA256Digest) {
        (self.offset, self.length, self.sha256) = (offset, length, sha256)
    }

    /// With leading zeros, so that lists are in the order of offsets.
    var name: String {
        let digits = String(offset)
        return String(repeating: "0", count: Self.offsetDigits - digits.utf8.count) + digits
            + "-\(length)-\(sha256.hex)"
    }

    /// Nil for any other name.
    init?(name: some StringProtocol) {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == Self.offsetDigits, let offset = UInt64(parts[0]),
            let length = UInt64(parts[1]), length > 0, !offset.addingReportingOverflow(length).overflow,
            let sha256 = SHA256Digest(hex: String(parts[2]))
        else { return nil }
        self.init(offset: offset, length: length, sha256: sha256)
    }

    /// The digits of the largest number.
    private static let offsetDigits = 20

    /// Segments that together have all bytes of the range, in order; nil if some bytes are missing.
    static func cover(_ range: Range<UInt64>, with segments: some Sequence<UploadSegment>) -> [UploadSegment]? {
        let sorted = segments.sorted { $0.offset < $1.offset }
        var (position, next, chosen) = (range.lowerBound, 0, [UploadSegment]())
        while position < range.upperBound {
            var best: UploadSegment?
            while next < sorted.count, sorted[next].offset <= position {
                if sorted[next].end > max(position, best?.end ?? 0) { best = sorted[next] }
                next += 1
            }
            guard let best else { return nil }
            chosen.append(best)
            position = best.end
        }
        return chosen
    }
}

public import HearthCatalog

/// What nobody needs any more: facts in, removals out. No I/O.
///
/// - An upload that no version was made from is kept for some days: its owner may still want it.
/// - A resumable upload that nothing came to for some days is given up.
/// - What is known about bytes goes when no version, upload or resumable upload has these bytes.
/// - Bytes go when nobody has them, and when they are malformed for good and no device is given
///   them.
public enum UpkeepRules {
    public struct Limits: Sendable, Hashable {
        /// How long an uploaded file is kept that no version uses.
        public var unusedUploadDays: Int
        /// How long a resumable upload is kept after its last bytes came.
        public var uploadSessionDays: Int

        public init(unusedUploadDays: Int, uploadSessionDays: Int) {
            self.unusedUploadDays = unusedUploadDays
            self.uploadSessionDays = uploadSessionDays
        }
    }

    /// The objects that are old enough to go, if no version was made from them.
    public static func old(
        _ objects: [UploadedObject], limits: Limits, nowMicroseconds: Int64
    ) -> [UploadedObject] {
        let oldest = moment(limits.unusedUploadDays, before: nowMicroseconds)
        return objects.filter { $0.createdMicroseconds < oldest }
    }

    /// The resumable uploads that nobody goes on with, finished ones too.
    public static func expired(
        _ sessions: [UploadSession], limits: Limits, nowMicroseconds: Int64
    ) -> [UploadSession] {
        sessions.filter { $0.hasExpired(keptDays: limits.uploadSessionDays, nowMicroseconds: nowMicroseconds) }
    }

    /// What is known about bytes that nobody has.
    public static func unreferenced(_ validations: [Validation], referenced: Set<String>) -> [Validation] {
        validations.filter { !referenced.contains($0.sha256) }
    }

    /// The hashes of the bytes to keep.
    public static func needed(
        referenced: Set<String>, validations: [Validation], served: Set<String>
    ) -> Set<String> {
        let malformed = validations.filter { known in
            if case .malformed = known.verdict { !known.isProvisional } else { false }
        }
        return referenced.subtracting(malformed.map(\.sha256)).union(served)
    }

    private static func moment(_ days: Int, before now: Int64) -> Int64 {
        let (length, overflow) = Int64(days).multipliedReportingOverflow(by: 86_400_000_000)
        return overflow ? Int64.min : now.subtractingReportingOverflow(length).partialValue
    }
}

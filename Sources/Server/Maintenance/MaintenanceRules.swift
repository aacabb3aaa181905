package import HearthCatalog
import HearthCrypto
package import HearthStorage

/// Decides what is not needed any more: it takes facts, and returns removals. No I/O.
///
/// - An upload that no version was made from is kept for some days, because its owner may still want it.
/// - A resumable upload that received no bytes for some days is given up.
/// - What is known about bytes is removed when no version, upload or resumable upload has these bytes.
/// - Bytes are moved to the trash when no record has them. They are deleted some days later, and restored if a record has
///   them again.
/// - A large removal needs an operator's confirmation: see `RemovalLimit`.
package enum MaintenanceRules {
    /// How long unneeded things are kept.
    package struct Limits: Sendable, Hashable {
        /// How long an uploaded file is kept that no version uses.
        package var unusedUploadDays: Int
        /// How long a resumable upload is kept after its last bytes arrived.
        package var uploadSessionDays: Int
        /// How long an unneeded file is kept in the trash.
        package var unreferencedDays: Int

        package init(unusedUploadDays: Int, uploadSessionDays: Int, unreferencedDays: Int = 7) {
            self.unusedUploadDays = unusedUploadDays
            self.uploadSessionDays = uploadSessionDays
            self.unreferencedDays = unreferencedDays
        }
    }

    /// The objects that are old enough to be removed, if no version was made from them.
    package static func unusedCandidates(
        _ objects: [UploadedObject], limits: Limits, nowMicroseconds: Int64
    ) -> [UploadedObject] {
        let oldest = moment(limits.unusedUploadDays, before: nowMicroseconds)
        return objects.filter { $0.createdMicroseconds < oldest }
    }

    /// The resumable uploads that are no longer continued, including finished ones.
    package static func expired(
        _ sessions: [UploadSession], limits: Limits, nowMicroseconds: Int64
    ) -> [UploadSession] {
        sessions.filter { $0.hasExpired(keptDays: limits.uploadSessionDays, nowMicroseconds: nowMicroseconds) }
    }

    /// What is known about bytes that no record has.
    package static func unreferenced(_ validations: [Validation], referenced: Set<String>) -> [Validation] {
        validations.filter { !referenced.contains($0.sha256) }
    }

    /// The files that were in the trash for long enough to be deleted. Files that are needed again are restored
    /// instead, unless the same bytes were uploaded again.
    package static func expiredTrash(
        _ trash: [TrashedBlob], needed: Set<String>, visible: Set<String>, limits: Limits, nowMicroseconds: Int64
    ) -> [TrashedBlob] {
        let missing = needed.subtracting(visible)
        let oldest = moment(limits.unreferencedDays, before: nowMicroseconds) / 1_000_000
        return trash.filter { $0.seconds < oldest && !missing.contains($0.digest.hex) }
    }

    private static func moment(_ days: Int, before now: Int64) -> Int64 {
        let (length, overflow) = Int64(days).multipliedReportingOverflow(by: 86_400_000_000)
        return overflow ? Int64.min : now.subtractingReportingOverflow(length).partialValue
    }
}

import Foundation
import HearthCrypto
import HearthFiles
import HearthWire

/// What the store records about the bytes of an unfinished download.
struct PartialRecord: Codable, Sendable, Equatable {
    /// The model's name.
    var name: String
    /// How many bytes the complete file has.
    var size: UInt64
    /// The ETag of the answer that contained the bytes.
    var validator: String?
    /// When the download began, by the device's clock.
    var begunMicroseconds: Int64
    /// The hash of the version that was installed at that time.
    var installedHash: String?

    static let maxAgeSeconds: Int64 = 7 * 86_400
    private static let validatorLimitBytes = 512

    init(name: String, size: UInt64, begun: Timestamp, installedHash: String?) {
        self.name = name
        self.size = size
        begunMicroseconds = begun.microseconds
        self.installedHash = installedHash
    }

    /// The validator, if a request may send it back to the server; nil when it cannot be in a header line, because the
    /// record may be damaged.
    static func usable(_ validator: String?) -> String? {
        guard let validator, (1...validatorLimitBytes).contains(validator.utf8.count),
            validator.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        return validator
    }

    /// Whether the download may still be resumed. Pure.
    ///
    /// - Parameters:
    ///   - pointer: The model's pointer as it is now.
    ///   - isNewest: Whether no other unfinished download of the model began later.
    func isWanted(_ digest: SHA256Digest, pointer: ModelPointer?, isNewest: Bool, now: Timestamp) -> Bool {
        guard isNewest, pointer?.current?.hash == installedHash else { return false }
        guard pointer?.rejected.contains(where: { $0.hash == digest.hex }) != true else { return false }
        // If the clock was set back, the record comes from the future.
        let (age, overflow) = now.microseconds.subtractingReportingOverflow(begunMicroseconds)
        return !overflow && age.magnitude <= UInt64(Self.maxAgeSeconds) * 1_000_000
    }
}

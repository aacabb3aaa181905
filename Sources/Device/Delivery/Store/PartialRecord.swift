import HearthCrypto
import HearthWire

/// What is remembered beside the bytes of an unfinished download.
struct PartialRecord: Codable, Sendable, Equatable {
    /// The model's name.
    var name: String
    /// How many bytes it will have.
    var size: UInt64
    /// The ETag of the answer that the bytes came from.
    var validator: String?
    /// When the download was begun, by the device's clock.
    var begunMicroseconds: Int64
    /// The hash of what was installed under the name then.
    var installedHash: String?

    static let maxAgeSeconds: Int64 = 7 * 86_400
    private static let validatorLimitBytes = 512

    init(name: String, size: UInt64, begun: Timestamp, installedHash: String?) {
        self.name = name
        self.size = size
        begunMicroseconds = begun.microseconds
        self.installedHash = installedHash
    }

    /// What may be sent back to the server; nil when it is no text for a header's line, whoever wrote it there.
    static func usable(_ validator: String?) -> String? {
        guard let validator, (1...validatorLimitBytes).contains(validator.utf8.count),
            validator.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        return validator
    }

    /// Whether the download may still be resumed. Pure.
    ///
    /// - Parameters:
    ///   - pointer: of the model's name, as it is now.
    ///   - isNewest: no other unfinished download of that name was begun later.
    func isWanted(_ digest: SHA256Digest, pointer: ModelPointer?, isNewest: Bool, now: Timestamp) -> Bool {
        guard isNewest, pointer?.current?.hash == installedHash else { return false }
        guard pointer?.aside.contains(where: { $0.hash == digest.hex }) != true else { return false }
        // A clock that was set back makes it come from the future.
        let (age, overflow) = now.microseconds.subtractingReportingOverflow(begunMicroseconds)
        return !overflow && age.magnitude <= UInt64(Self.maxAgeSeconds) * 1_000_000
    }
}

/// What is known of a device that asks for a model or for its configuration.
package struct DeviceFacts: Sendable, Hashable {
    package var installationID: String
    package var appID: String
    /// Dotted numbers, such as `2.10.0`.
    package var appVersion: String?
    /// As `appVersion`.
    package var appBuild: String?
    /// Lower case: `linux`, `ios`, `android`, …
    package var operatingSystem: String?
    /// BCP 47, most wanted first. Only the first decides: a device whose user can also read French is no French device.
    package var languages: [String] = []
    /// ISO 3166-1 alpha-2, upper case.
    package var country: String?
    package var tags: [String] = []
    /// What the app says of its user and of itself; numbers as text.
    package var userProperties: [String: String] = [:]
    package var customSignals: [String: String] = [:]
    /// When the app was opened for the first time, in microseconds since 1970.
    package var firstOpenMicroseconds: Int64?
    /// SHA-256 of the version that the device has, lower-case hex.
    package var knownHash: String?

    /// Tags of one device that are looked at.
    package static let tagLimit = 64

    /// In bytes: no text that conditions compare with is longer.
    package var longestText: Int {
        let versions = max(appVersion?.utf8.count ?? 0, appBuild?.utf8.count ?? 0)
        let names = max(appID.utf8.count, installationID.utf8.count, operatingSystem?.utf8.count ?? 0)
        let signals = customSignals.values.reduce(max(versions, names)) { max($0, $1.utf8.count) }
        return userProperties.values.reduce(signals) { max($0, $1.utf8.count) }
    }

    package init(installationID: String, appID: String) {
        self.installationID = installationID
        self.appID = appID
    }
}

/// Comparison of BCP 47 tags, whatever their case.
enum LanguageTag {
    /// Whether the first subtags of `tag` are those of `range`: `de` is a prefix of `de-CH`, not of `den`. A low line
    /// separates as a hyphen does, since some systems write `de_CH`.
    static func isPrefix(_ range: String, of tag: String) -> Bool {
        var rest = tag.utf8.makeIterator()
        for byte in range.utf8 {
            guard let next = rest.next(), folded(next) == folded(byte) else { return false }
        }
        return rest.next().map { folded($0) == UInt8(ascii: "-") } ?? true
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        case UInt8(ascii: "_"): UInt8(ascii: "-")
        default: byte
        }
    }
}

/// What is known about a device that asks for a model or fetches values.
package struct DeviceFacts: Sendable, Hashable, Codable {
    package var installationID: String
    package var appID: String
    /// Dotted numbers, such as `2.10.0`.
    package var appVersion: String?
    /// As `appVersion`.
    package var appBuild: String?
    /// Lower case: `linux`, `ios`, `android`, …
    package var operatingSystem: String?
    /// BCP 47, the preferred language first. Only the first one counts: a device whose user can also read French is not
    /// a French device.
    package var languages: [String] = []
    /// ISO 3166-1 alpha-2, upper case.
    package var country: String?
    package var tags: [String] = []
    /// What the app says about its user and about itself; numbers as text.
    package var userProperties: [String: String] = [:]
    package var customSignals: [String: String] = [:]
    /// When the app was opened for the first time, in microseconds since 1970.
    package var firstOpenMicroseconds: Int64?
    /// SHA-256 of the version that the device has, lower-case hex.
    package var knownHash: String?

    /// The most tags of one device that count.
    package static let tagLimit = 64

    /// In bytes: the length of the longest text that conditions compare.
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

/// Compares BCP 47 tags without regard to case.
enum LanguageTag {
    /// Whether `tag` begins with the subtags of `range`: `de` is a prefix of `de-CH`, and not of `den`. An underscore
    /// separates like a hyphen, because some systems write `de_CH`.
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

import HearthCatalog
import HearthWire

/// Whether a device matches the lists and the app versions of an audience. It must match all that are set; a device
/// that does not send the needed fact does not match. Conditions are evaluated separately (`TargetedRelease`).
enum AudienceMatch {
    static func includes(_ device: DeviceFacts, in audience: Audience) -> Bool {
        missedTerm(device, in: audience) == nil
    }

    /// The first part of the audience that the device does not match; nil if it matches all. Never the condition.
    static func missedTerm(_ device: DeviceFacts, in audience: Audience) -> AudienceTerm? {
        guard isOne(of: audience.operatingSystems, device.operatingSystem) else { return .operatingSystem }
        guard isOne(of: audience.countries, device.country) else { return .country }
        guard audience.tags.isEmpty || audience.tags.contains(where: { device.tags.contains($0) }) else { return .tag }
        guard hasLanguage(device, oneOf: audience.languages) else { return .language }
        return hasVersion(device, audience) ? nil : .appVersion
    }

    private static func isOne(of items: [String], _ item: String?) -> Bool {
        guard !items.isEmpty else { return true }
        return item.map(items.contains) ?? false
    }

    private static func hasLanguage(_ device: DeviceFacts, oneOf languages: [String]) -> Bool {
        guard !languages.isEmpty else { return true }
        guard let language = device.languages.first else { return false }
        return languages.contains { LanguageTag.isPrefix($0, of: language) }
    }

    private static func hasVersion(_ device: DeviceFacts, _ audience: Audience) -> Bool {
        guard audience.appVersionFrom != nil || audience.appVersionBelow != nil else { return true }
        guard let version = device.appVersion.flatMap({ DottedVersion($0) }) else { return false }
        if let from = audience.appVersionFrom {
            guard let from = DottedVersion(from), version >= from else { return false }
        }
        if let below = audience.appVersionBelow {
            guard let below = DottedVersion(below), version < below else { return false }
        }
        return true
    }
}

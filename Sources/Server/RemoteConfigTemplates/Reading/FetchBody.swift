import HearthWire

/// The body of a device's fetch, in the three forms that clients really send: JSON in camelCase, JSON in snake_case,
/// and an object that looks like JSON with bare keys and texts in single quotes, without any escapes.
package struct FetchBody: Sendable, Hashable {
    package var installationID = ""
    package var installationToken: String?
    package var appID = ""
    package var countryCode: String?
    package var languageCode: String?
    package var appVersion: String?
    package var appBuild: String?
    /// RFC 3339.
    package var firstOpenTime: String?
    /// Numbers and Booleans as text.
    package var userProperties: [String: String] = [:]
    package var customSignals: [String: String] = [:]

    package static let customSignalLimit = 100

    /// A body that says nothing.
    package init() {}

    /// Nil if the bytes have none of the three forms.
    package init?(_ bytes: [UInt8]) {
        guard let members = BodyMembers(bytes) else { return nil }
        installationID = members.text("appinstanceid") ?? ""
        installationToken = members.text("appinstanceidtoken")
        appID = members.text("appid") ?? ""
        countryCode = members.text("countrycode")
        languageCode = DeviceLimits.short(members.text("languagecode"), DeviceLimits.languageCharacters)
        appVersion = DeviceLimits.short(members.text("appversion"), DeviceLimits.versionCharacters)
        appBuild = DeviceLimits.short(members.text("appbuild"), DeviceLimits.versionCharacters)
        firstOpenTime = DeviceLimits.short(members.text("firstopentime"), DeviceLimits.timeCharacters)
        userProperties = DeviceLimits.short(members.texts("analyticsuserproperties"))
        customSignals = DeviceLimits.short(members.texts("customsignals"))
        guard customSignals.count <= Self.customSignalLimit else { return nil }
    }
}

/// The body of a device's call for template updates, in the same forms as `FetchBody`.
package struct UpdatesBody: Sendable, Hashable {
    package var installationToken: String?
    /// 0 if the device knows no version, or does not say.
    package var lastKnownVersion: Int64 = 0

    /// Nil if the bytes have none of the three forms.
    package init?(_ bytes: [UInt8]) {
        guard let members = BodyMembers(bytes) else { return nil }
        installationToken = members.text("appinstanceidtoken")
        lastKnownVersion = max(0, members.text("lastknownversionnumber").flatMap { Int64($0) } ?? 0)
    }
}

/// The largest lengths of a device's values. A longer value counts as missing: a part of it could meet a condition that
/// the whole value does not meet.
package enum DeviceLimits {
    /// For the app's version and for its build.
    package static let versionCharacters = 100
    package static let languageCharacters = WireNames.languageLimit
    package static let timeCharacters = 64

    static func short(_ text: String?, _ limit: Int) -> String? { text.flatMap { isWithin($0, limit) ? $0 : nil } }

    /// Without the entries whose key or value is too long.
    static func short(_ texts: [String: String]) -> [String: String] {
        func isShort(_ key: String, _ value: String) -> Bool {
            isWithin(key, CustomSignalLimits.keyLength) && isWithin(value, CustomSignalLimits.textLength)
        }
        // Such entries are rare, so the dictionary is copied only if necessary.
        return texts.allSatisfy { isShort($0.key, $0.value) } ? texts : texts.filter { isShort($0.key, $0.value) }
    }

    private static func isWithin(_ text: String, _ limit: Int) -> Bool {
        // No text has more units than bytes, so usually the number of bytes is enough.
        text.utf8.count <= limit || text.utf16.count <= limit
    }
}

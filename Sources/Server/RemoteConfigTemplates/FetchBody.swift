/// What a device sends with its question for a configuration, read from the three shapes that clients really send: JSON in
/// camelCase, JSON in snake_case, and an object that looks like JSON with bare keys and texts in single quotes, in which
/// nothing is escaped.
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
    /// Numbers and truth values as text.
    package var userProperties: [String: String] = [:]
    package var customSignals: [String: String] = [:]

    package static let customSignalLimit = 100

    /// Nil where the bytes are none of the three shapes.
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

/// What a device sends with its question for news of the template, in the same shapes as `FetchBody`.
package struct UpdatesBody: Sendable, Hashable {
    package var installationToken: String?
    /// 0 where the device knows no version, or says none.
    package var lastKnownVersion: Int64 = 0

    /// Nil where the bytes are none of the shapes.
    package init?(_ bytes: [UInt8]) {
        guard let members = BodyMembers(bytes) else { return nil }
        installationToken = members.text("appinstanceidtoken")
        lastKnownVersion = max(0, members.text("lastknownversionnumber").flatMap { Int64($0) } ?? 0)
    }
}

/// How long what a device says of itself may be. What is longer counts as not said: cut, a text could fit a condition that the whole
/// does not fit.
package enum DeviceLimits {
    /// As Firebase's clients count: in units of UTF-16, of which each takes at most three bytes.
    package static let keyCharacters = 250
    package static let valueCharacters = 500
    /// Of the app's version and of its build.
    package static let versionCharacters = 100
    package static let languageCharacters = 35
    package static let timeCharacters = 64

    static func short(_ text: String?, _ limit: Int) -> String? { text.flatMap { isWithin($0, limit) ? $0 : nil } }

    /// Without those whose key or value is too long.
    static func short(_ texts: [String: String]) -> [String: String] {
        func isShort(_ key: String, _ value: String) -> Bool {
            isWithin(key, keyCharacters) && isWithin(value, valueCharacters)
        }
        // Hardly ever is there one: the dictionary is not made anew for nothing.
        return texts.allSatisfy { isShort($0.key, $0.value) } ? texts : texts.filter { isShort($0.key, $0.value) }
    }

    private static func isWithin(_ text: String, _ limit: Int) -> Bool {
        // No text has more units than bytes, which need not be counted.
        text.utf8.count <= limit || text.utf16.count <= limit
    }
}

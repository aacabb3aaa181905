/// What a device sends with its question for a configuration, read from the three shapes that clients really send: JSON in
/// camelCase, JSON in snake_case, and an object that looks like JSON with bare keys and texts in single quotes, in which
/// nothing is escaped.
public struct FetchBody: Sendable, Hashable {
    public var installationID = ""
    public var installationToken: String?
    public var appID = ""
    public var countryCode: String?
    public var languageCode: String?
    public var appVersion: String?
    public var appBuild: String?
    /// RFC 3339.
    public var firstOpenTime: String?
    /// Numbers and truth values as text.
    public var userProperties: [String: String] = [:]
    public var customSignals: [String: String] = [:]

    public static let customSignalLimit = 100

    /// Nil where the bytes are none of the three shapes.
    public init?(_ bytes: [UInt8]) {
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

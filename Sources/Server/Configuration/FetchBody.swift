import Foundation

/// What a device sends with its question for a configuration, read from the three shapes that clients really send: JSON in
/// camelCase, JSON in snake_case, and an object that looks like JSON with bare keys and texts in single quotes, in which
/// nothing is escaped.
public struct FetchBody: Sendable, Hashable {
    public var installationID = ""
    public var installationToken: String?
    public var appID = ""
    public var countryCode: String?
    public var languageCode: String?
    public var platformVersion: String?
    public var timeZone: String?
    public var appVersion: String?
    public var appBuild: String?
    public var packageName: String?
    public var sdkVersion: String?
    /// RFC 3339.
    public var firstOpenTime: String?
    /// Numbers and truth values as text.
    public var userProperties: [String: String] = [:]
    public var customSignals: [String: String] = [:]

    public static let customSignalLimit = 100

    public init() {}

    /// Nil where the bytes are none of the three shapes.
    public init?(_ bytes: [UInt8]) {
        guard let members = Self.json(bytes) ?? LooseObject.read(bytes) else { return nil }
        // `app_instance_id` and `appInstanceId` are one name.
        let named = Dictionary(
            members.map { ($0.key.lowercased().replacing("_", with: ""), $0.value) },
            uniquingKeysWith: { first, _ in first })
        func text(_ name: String) -> String? {
            if case .text(let text) = named[name] { text } else { nil }
        }
        func texts(_ name: String) -> [String: String] {
            if case .object(let object) = named[name] { object } else { [:] }
        }
        installationID = text("appinstanceid") ?? ""
        installationToken = text("appinstanceidtoken")
        appID = text("appid") ?? ""
        countryCode = text("countrycode")
        languageCode = text("languagecode")
        platformVersion = text("platformversion")
        timeZone = text("timezone")
        appVersion = text("appversion")
        appBuild = text("appbuild")
        packageName = text("packagename")
        sdkVersion = text("sdkversion")
        firstOpenTime = text("firstopentime")
        userProperties = texts("analyticsuserproperties")
        customSignals = texts("customsignals")
        guard customSignals.count <= Self.customSignalLimit else { return nil }
    }

    enum Member: Sendable, Hashable {
        case text(String)
        case object([String: String])
    }

    static func json(_ bytes: [UInt8]) -> [String: Member]? {
        guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else { return nil }
        return object.compactMapValues { value in
            if let inner = value as? [String: Any] { return .object(inner.compactMapValues(plain)) }
            return plain(value).map(Member.text)
        }
    }

    private static func plain(_ value: Any) -> String? {
        if let text = value as? String { return text }
        guard let number = value as? NSNumber else { return nil }
        // A truth value is a number to Foundation.
        return isTruthValue(number) ? (number.boolValue ? "true" : "false") : number.stringValue
    }

    private static func isTruthValue(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}

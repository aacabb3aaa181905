public import Foundation
import HearthApp
import HearthFiles

extension RemoteConfig {
    /// Replaces all defaults; nil removes them. Accepts texts, bytes, numbers, dates (as `yyyy-MM-dd HH:mm:ss` in UTC),
    /// arrays and dictionaries (as JSON), and ignores other values.
    public func setDefaults(_ defaults: [String: NSObject]?) {
        let values = DefaultValue.all(defaults ?? [:])
        core.defaults = values
    }

    /// Replaces all defaults with those in a property list of the main bundle, named without `.plist`. When the list is
    /// missing, writes to the log and keeps the defaults.
    public func setDefaults(fromPlist fileName: String?) {
        guard let fileName, let path = Bundle.main.path(forResource: fileName, ofType: "plist") else {
            return AppLog.core.error(
                "I-RCN000037", "The plist file '\(fileName ?? "")' could not be found by Remote Config.")
        }
        setDefaults(fromPlistAt: path)
    }

    /// Replaces all defaults with the fields of a structure, as it encodes to JSON.
    ///
    /// - Throws: ``RemoteConfigCodableError`` when `value` is not a structure, and errors of `value` itself.
    public func setDefaults<Value: Encodable>(from value: Value) throws {
        let json = try JSONEncoder().encode(value)
        guard let fields = try? JSONSerialization.jsonObject(with: json) as? [String: Any] else {
            throw RemoteConfigCodableError.invalidSetDefaultsInput(
                "The setDefaults input: \(value), must be a Struct that encodes to a Dictionary")
        }
        let values = DefaultValue.all(fields)
        core.defaults = values
    }

    func setDefaults(fromPlistAt path: String) {
        guard let bytes = try? DiskFiles().read(path, limitBytes: 1 << 20),
            let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any]
        else {
            return AppLog.core.error(
                "I-RCN000037",
                "The plist file at \(path) is not a dictionary of at most 1 MiB; the defaults are unchanged.")
        }
        let values = DefaultValue.all(list)
        core.defaults = values
    }
}

/// Why defaults cannot be taken from a value.
public enum RemoteConfigCodableError: LocalizedError, Sendable, Equatable {
    /// The value is not a structure; the text shows it.
    case invalidSetDefaultsInput(String)

    /// One line: what is wrong.
    public var errorDescription: String? {
        switch self {
        case .invalidSetDefaultsInput(let text): text
        }
    }
}

/// Turns an app's default into a value. Pure.
enum DefaultValue {
    /// The value of a default: texts, bytes and numbers as they are, dates as `yyyy-MM-dd HH:mm:ss` in UTC, arrays and
    /// dictionaries as JSON; nil for everything else.
    static func data(_ value: Any) -> Data? {
        switch value {
        case let data as Data: data
        case let text as String: Data(text.utf8)
        case let number as NSNumber: Data(number.stringValue.utf8)
        case let date as Date: Data(text(date).utf8)
        case is [Any], is [String: Any], is NSArray, is NSDictionary: json(value)
        default: nil
        }
    }

    static func all(_ values: [String: Any]) -> [String: Data] { values.compactMapValues(data) }

    private static func json(_ value: Any) -> Data? {
        guard JSONSerialization.isValidJSONObject(value) else { return nil }
        return try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
    }

    private static func text(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
        return formatter.string(from: date)
    }
}

import Foundation

/// The form that an app's own default takes as a value. Pure.
enum DefaultValue {
    /// Texts, bytes and numbers as they are, dates as `yyyy-MM-dd HH:mm:ss` in UTC, arrays and dictionaries as JSON; nil for
    /// everything else.
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

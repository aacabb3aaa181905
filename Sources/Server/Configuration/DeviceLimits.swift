/// How long what a device says of itself may be. What is longer counts as not said: cut, a text could fit a condition that the whole
/// does not fit.
public enum DeviceLimits {
    /// As Firebase's clients count: in units of UTF-16, of which each takes at most three bytes.
    public static let keyCharacters = 250
    public static let valueCharacters = 500
    /// Of the app's version and of its build.
    public static let versionCharacters = 100
    public static let languageCharacters = 35
    public static let timeCharacters = 64

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

/// The forms of an app's name and of its id.
enum AppIdentifier {
    /// Letters, digits, `_` and `-`; at least one.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || isDigit(byte) || byte == 0x2D
                    || byte == 0x5F
            }
    }

    /// `1:<project number>:<platform>:<hex>`, or `<version>:` and anything for versions that are not known yet.
    static func isAppID(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(isDigit) else { return false }
        guard parts[0] == "1" else { return true }
        return parts.count == 4 && isProjectNumber(parts[1]) && !parts[2].isEmpty && !parts[3].isEmpty
            && parts[3].allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    static func hasKnownVersion(appID: String) -> Bool { appID.hasPrefix("1:") }

    private static func isProjectNumber(_ text: Substring) -> Bool {
        Int64(text) != nil && text.utf8.allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

/// The forms of what a device tells about itself, as the server understands them. All of them are plain ASCII.
enum DescriptionForm {
    /// Numbers of at most 18 digits with dots between, at most 64 bytes in all.
    static func isAppVersion(_ text: String) -> Bool {
        text.utf8.count <= 64
            && text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
                (1...18).contains($0.count) && $0.allSatisfy(isDigit)
            }
    }

    static func isOperatingSystem(_ text: String) -> Bool { isTag(text) && (text.utf8.first.map(isLetter) ?? false) }

    /// A language of two to eight letters, then subtags of one to eight letters and digits.
    static func isLanguage(_ text: String) -> Bool {
        guard text.utf8.count <= 35 else { return false }
        let subtags = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let language = subtags.first, language.count >= 2, language.allSatisfy(isLetter) else { return false }
        return subtags.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { isLetter($0) || isDigit($0) } }
    }

    static func isCountry(_ text: String) -> Bool { text.utf8.count == 2 && text.utf8.allSatisfy(isLetter) }

    static func isTag(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

/// The forms of the names that devices and servers exchange. A server refuses what has another form, so devices check it
/// first. All of them are plain ASCII.
package enum WireNames {
    /// Of display names of models, experiments and variants, and of tags.
    package static let displayNameLimit = 32
    package static let eventNameLimit = 40
    package static let languageLimit = 35
    package static let appVersionLimit = 64

    /// `[A-Za-z0-9_-]{1,32}`: display names and tags.
    package static func isDisplayName(_ text: String) -> Bool {
        (1...displayNameLimit).contains(text.utf8.count) && isWord(text)
    }

    /// `[a-z][a-z0-9-]{0,31}`: a name of a version. The first letter tells it from a number.
    package static func isVersionAlias(_ text: String) -> Bool {
        guard let first = text.utf8.first, ASCII.isSmallLetter(first), text.utf8.count <= displayNameLimit else {
            return false
        }
        return text.utf8.allSatisfy { ASCII.isSmallLetter($0) || ASCII.isDigit($0) || $0 == 0x2D }
    }

    /// Letters, digits, hyphens and underscores; at least one.
    package static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2D || $0 == 0x5F }
    }

    /// `[A-Za-z][A-Za-z0-9_]{0,39}`, the form of Google Analytics.
    package static func isEventName(_ text: String) -> Bool {
        guard let first = text.utf8.first, ASCII.isLetter(first), text.utf8.count <= eventNameLimit else {
            return false
        }
        return text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x5F }
    }

    /// A journal of events: 22 letters, digits, hyphens and underscores.
    package static func isJournalName(_ text: String) -> Bool { text.utf8.count == 22 && isWord(text) }

    /// An API key as Google makes them: 39 letters, digits, hyphens and underscores, of which the first is an `A`.
    package static func isAPIKey(_ text: String) -> Bool {
        text.utf8.count == 39 && text.hasPrefix("A") && isWord(text)
    }

    /// Numbers of at most 18 digits with dots between, at most 64 bytes in all.
    package static func isAppVersion(_ text: String) -> Bool {
        text.utf8.count <= appVersionLimit
            && text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
                (1...18).contains($0.count) && $0.allSatisfy(ASCII.isDigit)
            }
    }

    /// A word in small letters, such as `linux`.
    package static func isOperatingSystem(_ text: String) -> Bool {
        isDisplayName(text) && text.utf8.first.map(ASCII.isSmallLetter) == true
            && !text.utf8.contains(where: ASCII.isCapitalLetter)
    }

    /// A BCP 47 tag: a language of two to eight letters, then subtags of one to eight letters and digits.
    package static func isLanguage(_ text: String) -> Bool {
        guard text.utf8.count <= languageLimit else { return false }
        let subtags = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let language = subtags.first, language.count >= 2, language.allSatisfy(ASCII.isLetter) else {
            return false
        }
        return subtags.allSatisfy {
            (1...8).contains($0.count) && $0.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) }
        }
    }

    /// Two capital letters, as in ISO 3166-1.
    package static func isCountry(_ text: String) -> Bool {
        text.utf8.count == 2 && text.utf8.allSatisfy(ASCII.isCapitalLetter)
    }
}

/// Classes of the bytes that names consist of.
package enum ASCII {
    package static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    package static func isSmallLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    package static func isCapitalLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

    package static func isLetter(_ byte: UInt8) -> Bool { isSmallLetter(byte) || isCapitalLetter(byte) }
}

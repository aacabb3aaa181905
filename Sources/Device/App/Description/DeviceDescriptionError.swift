public import Foundation

/// A text that a device cannot tell about itself.
public struct DeviceDescriptionError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let badAppVersion = Code(rawValue: "badAppVersion")
        public static let badOperatingSystem = Code(rawValue: "badOperatingSystem")
        public static let badLanguage = Code(rawValue: "badLanguage")
        public static let badCountry = Code(rawValue: "badCountry")
        public static let badTag = Code(rawValue: "badTag")
        public static let tooManyTags = Code(rawValue: "tooManyTags")
    }

    public let code: Code
    /// One line: what is wrong, and what would be right.
    public let message: String

    public var description: String { message }
    public var errorDescription: String? { message }

    private init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static func badAppVersion(_ text: String) -> Self {
        Self(.badAppVersion, "An app version is numbers with dots, such as 2.10.0; \(quoted(text)) is not.")
    }

    static func badOperatingSystem(_ text: String) -> Self {
        Self(.badOperatingSystem, "An operating system is a word such as linux or ios; \(quoted(text)) is not.")
    }

    static func badLanguage(_ text: String) -> Self {
        Self(.badLanguage, "A language is a BCP 47 tag, such as de or pt-BR; \(quoted(text)) is not.")
    }

    static func badCountry(_ text: String) -> Self {
        Self(.badCountry, "A country is two letters of ISO 3166-1, such as CH; \(quoted(text)) is not.")
    }

    static func badTag(_ text: String) -> Self {
        Self(.badTag, "A tag has 1 to 32 letters, digits, hyphens or underscores; \(quoted(text)) has not.")
    }

    static var tooManyTags: Self {
        Self(.tooManyTags, "A device has at most \(DeviceDescription.tagLimit) tags; give it fewer.")
    }

    /// The beginning of the text, on one line and in plain letters.
    private static func quoted(_ text: String) -> String {
        "'\(text.unicodeScalars.prefix(40).map { $0.escaped(asASCII: true) }.joined())'"
    }
}

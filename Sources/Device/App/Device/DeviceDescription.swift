public import Foundation
import HearthWire

/// What a device tells its server when it asks for a model, so that releases can be aimed: at an app's newer versions, at a
/// country, at the devices with a tag.
///
/// ```swift
/// try FirebaseApp.app()?.deviceDescription.setTags(["beta", "kiosk"])
/// ```
///
/// What is nil, or empty, is not told; a release that asks for it then passes this device over. Texts are checked when they
/// are set, so that every description can be sent.
public struct DeviceDescription: Sendable, Hashable {
    /// How many tags a device has at most.
    public static let tagLimit = 16

    /// Numbers with dots, such as `2.10.0`.
    public private(set) var appVersion: String?
    /// `linux`, `ios`, `macos`, … nil on systems that this library does not know.
    public internal(set) var operatingSystem: String? = Self.thisSystem
    /// The language that the user likes best, by BCP 47, such as `de` or `pt-BR`.
    public private(set) var language: String?
    /// Two capital letters of ISO 3166-1, such as `CH`.
    public private(set) var country: String?
    /// The app's own words for this device, each once.
    public private(set) var tags: [String] = []

    /// Tells the operating system and nothing else.
    public init() {}

    /// - Parameter version: One or more numbers with dots, 64 bytes in all; nil to tell none.
    /// - Throws: ``DeviceDescriptionError`` for anything else; the old version stays.
    public mutating func setAppVersion(_ version: String?) throws(DeviceDescriptionError) {
        if let version, !DeviceDescriptionRules.isAppVersion(version) { throw .badAppVersion(version) }
        appVersion = version
    }

    /// For trying out whom a release is for: apps tell the system that they run on.
    ///
    /// - Parameter name: A word of letters, digits, hyphens and low lines that begins with a letter; nil to tell none.
    /// - Throws: ``DeviceDescriptionError`` for anything else; the old system stays.
    package mutating func setOperatingSystem(_ name: String?) throws(DeviceDescriptionError) {
        if let name, !DeviceDescriptionRules.isOperatingSystem(name) { throw .badOperatingSystem(name) }
        operatingSystem = name?.lowercased()
    }

    /// - Parameter language: A BCP 47 tag of at most 35 bytes, also with low lines (`de_CH`); nil to tell none.
    /// - Throws: ``DeviceDescriptionError`` for anything else; the old language stays.
    public mutating func setLanguage(_ language: String?) throws(DeviceDescriptionError) {
        let tag = language.map { String($0.map { $0 == "_" ? "-" : $0 }) }
        if let tag, !DeviceDescriptionRules.isLanguage(tag) { throw .badLanguage(tag) }
        self.language = tag
    }

    /// - Parameter country: Two letters of ISO 3166-1, small or capital; nil to tell none.
    /// - Throws: ``DeviceDescriptionError`` for anything else; the old country stays.
    public mutating func setCountry(_ country: String?) throws(DeviceDescriptionError) {
        if let country, !DeviceDescriptionRules.isCountry(country) { throw .badCountry(country) }
        self.country = country?.uppercased()
    }

    /// - Parameter tags: At most ``tagLimit`` different ones; each has 1 to 32 letters, digits, hyphens or underscores.
    /// - Throws: ``DeviceDescriptionError`` for anything else; the old tags stay.
    public mutating func setTags(_ tags: [String]) throws(DeviceDescriptionError) {
        var known = Set<String>()
        for tag in tags {
            guard DeviceDescriptionRules.isTag(tag) else { throw .badTag(tag) }
            known.insert(tag)
            guard known.count <= Self.tagLimit else { throw .tooManyTags }
        }
        self.tags = tags.filter { known.remove($0) != nil }
    }

    /// The same without what is the user's rather than the device's.
    var withoutUserData: DeviceDescription {
        var description = self
        (description.language, description.country) = (nil, nil)
        return description
    }
}

extension DeviceDescription {

    /// What is told, as headers of the call for a model.
    package var headers: [(String, String)] {
        let all = [
            (WireHeader.appVersion, appVersion), (WireHeader.operatingSystem, operatingSystem),
            (WireHeader.language, language), (WireHeader.country, country),
            (WireHeader.tags, tags.isEmpty ? nil : tags.joined(separator: ",")),
        ]
        return all.compactMap { name, value in value.map { (name, $0) } }
    }

    /// What the headers of a call tell. A value that no device sends counts as not told.
    package init(header: (_ name: String) -> String?) {
        operatingSystem = header(WireHeader.operatingSystem)
        try? setAppVersion(header(WireHeader.appVersion))
        try? setLanguage(header(WireHeader.language))
        try? setCountry(header(WireHeader.country))
        try? setTags(header(WireHeader.tags)?.split(separator: ",").map(String.init) ?? [])
    }
}

/// The forms of what a device tells about itself, as the server understands them. All of them are plain ASCII.
enum DeviceDescriptionRules {
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

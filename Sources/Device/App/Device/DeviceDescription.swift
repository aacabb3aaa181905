public import Foundation
import HearthWire

/// What a device sends to its server when it requests a model, so that releases can select devices: those with newer
/// versions of the app, those in a country, those with a tag.
///
/// ```swift
/// try FirebaseApp.app()?.deviceDescription.setTags(["beta", "kiosk"])
/// ```
///
/// Values that are nil or empty are not sent; a release with a condition about such a value does not reach the device.
/// Setters check the texts, so that every description can be sent.
public struct DeviceDescription: Sendable, Hashable {
    /// The most tags that a device can have.
    public static let tagLimit = 16

    /// The app's version: numbers with dots, such as `2.10.0`.
    public private(set) var appVersion: String?
    /// The operating system: `linux`, `ios`, `macos`, … nil on systems that this library does not know.
    public internal(set) var operatingSystem: String? = Self.thisSystem
    /// The user's preferred language as a BCP 47 tag, such as `de` or `pt-BR`.
    public private(set) var language: String?
    /// The user's country: two capital letters of ISO 3166-1, such as `CH`.
    public private(set) var country: String?
    /// The app's own tags for this device, without duplicates.
    public private(set) var tags: [String] = []

    /// Makes a description of the operating system only.
    public init() {}

    /// Sets the app's version.
    ///
    /// - Parameter version: One or more numbers with dots, at most 64 bytes in all; nil to send none.
    /// - Throws: ``DeviceDescriptionError`` for any other text; the old version stays.
    public mutating func setAppVersion(_ version: String?) throws(DeviceDescriptionError) {
        if let version, !WireNames.isAppVersion(version) { throw .badAppVersion(version) }
        appVersion = version
    }

    /// Sets the operating system, to try out which devices a release reaches: apps send the system on which they run.
    ///
    /// - Parameter name: A word of letters, digits, hyphens and underscores that begins with a letter; nil to send
    ///   none.
    /// - Throws: ``DeviceDescriptionError`` for any other text; the old system stays.
    package mutating func setOperatingSystem(_ name: String?) throws(DeviceDescriptionError) {
        if let name, !WireNames.isOperatingSystem(name.lowercased()) { throw .badOperatingSystem(name) }
        operatingSystem = name?.lowercased()
    }

    /// Sets the language.
    ///
    /// - Parameter language: A BCP 47 tag of at most 35 bytes, also with underscores (`de_CH`); nil to send none.
    /// - Throws: ``DeviceDescriptionError`` for any other text; the old language stays.
    public mutating func setLanguage(_ language: String?) throws(DeviceDescriptionError) {
        let tag = language.map { String($0.map { $0 == "_" ? "-" : $0 }) }
        if let tag, !WireNames.isLanguage(tag) { throw .badLanguage(tag) }
        self.language = tag
    }

    /// Sets the country.
    ///
    /// - Parameter country: Two letters of ISO 3166-1, in either case; nil to send none.
    /// - Throws: ``DeviceDescriptionError`` for any other text; the old country stays.
    public mutating func setCountry(_ country: String?) throws(DeviceDescriptionError) {
        if let country, !WireNames.isCountry(country.uppercased()) { throw .badCountry(country) }
        self.country = country?.uppercased()
    }

    /// Sets the tags.
    ///
    /// - Parameter tags: At most ``tagLimit`` different ones; each has 1 to 32 letters, digits, hyphens or underscores.
    /// - Throws: ``DeviceDescriptionError`` for any other tags; the old tags stay.
    public mutating func setTags(_ tags: [String]) throws(DeviceDescriptionError) {
        var known = Set<String>()
        for tag in tags {
            guard WireNames.isDisplayName(tag) else { throw .badTag(tag) }
            known.insert(tag)
            guard known.count <= Self.tagLimit else { throw .tooManyTags }
        }
        self.tags = tags.filter { known.remove($0) != nil }
    }

    /// The description without the values that describe the user instead of the device.
    var withoutUserData: DeviceDescription {
        var description = self
        (description.language, description.country) = (nil, nil)
        return description
    }
}

extension DeviceDescription {

    /// The description as headers of a call.
    package var headers: [(String, String)] {
        let all = [
            (WireHeader.appVersion, appVersion), (WireHeader.operatingSystem, operatingSystem),
            (WireHeader.language, language), (WireHeader.country, country),
            (WireHeader.tags, tags.isEmpty ? nil : tags.joined(separator: ",")),
        ]
        return all.compactMap { name, value in value.map { (name, $0) } }
    }

    /// Reads a description from the headers of a call. Ignores values that a device cannot send.
    package init(header: (_ name: String) -> String?) {
        operatingSystem = header(WireHeader.operatingSystem)
        try? setAppVersion(header(WireHeader.appVersion))
        try? setLanguage(header(WireHeader.language))
        try? setCountry(header(WireHeader.country))
        try? setTags(header(WireHeader.tags)?.split(separator: ",").map(String.init) ?? [])
    }
}

/// Why a ``DeviceDescription`` cannot contain a text.
public struct DeviceDescriptionError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's name.
        public let rawValue: String
        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The app's version is malformed.
        public static let badAppVersion = Code(rawValue: "badAppVersion")
        /// The operating system's name is malformed.
        public static let badOperatingSystem = Code(rawValue: "badOperatingSystem")
        /// The language is malformed.
        public static let badLanguage = Code(rawValue: "badLanguage")
        /// The country is malformed.
        public static let badCountry = Code(rawValue: "badCountry")
        /// A tag is malformed.
        public static let badTag = Code(rawValue: "badTag")
        /// There are more than ``DeviceDescription/tagLimit`` tags.
        public static let tooManyTags = Code(rawValue: "tooManyTags")
    }

    /// The kind of error.
    public let code: Code
    /// One line: what is wrong, and which form is right.
    public let message: String

    /// The error as text: ``message``.
    public var description: String { message }
    /// What `localizedDescription` returns: ``message``.
    public var errorDescription: String? { message }

    private init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static func badAppVersion(_ text: String) -> Self {
        Self(.badAppVersion, "An app version must be numbers with dots, such as 2.10.0, not \(quoted(text)).")
    }

    static func badOperatingSystem(_ text: String) -> Self {
        Self(.badOperatingSystem, "An operating system must be a word such as linux or ios, not \(quoted(text)).")
    }

    static func badLanguage(_ text: String) -> Self {
        Self(.badLanguage, "A language must be a BCP 47 tag, such as de or pt-BR, not \(quoted(text)).")
    }

    static func badCountry(_ text: String) -> Self {
        Self(.badCountry, "A country must be two letters of ISO 3166-1, such as CH, not \(quoted(text)).")
    }

    static func badTag(_ text: String) -> Self {
        Self(.badTag, "A tag must have 1 to 32 letters, digits, hyphens or underscores, unlike \(quoted(text)).")
    }

    static var tooManyTags: Self {
        Self(.tooManyTags, "A device may have at most \(DeviceDescription.tagLimit) tags; give it fewer.")
    }

    /// The beginning of the text, on one line and in ASCII.
    private static func quoted(_ text: String) -> String {
        "'\(text.unicodeScalars.prefix(40).map { $0.escaped(asASCII: true) }.joined())'"
    }
}

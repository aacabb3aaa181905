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
        if let version, !DescriptionForm.isAppVersion(version) { throw .badAppVersion(version) }
        appVersion = version
    }

    /// For trying out whom a release is for: apps tell the system that they run on.
    ///
    /// - Parameter name: A word of letters, digits, hyphens and low lines that begins with a letter; nil to tell none.
    /// - Throws: ``DeviceDescriptionError`` for anything else; the old system stays.
    package mutating func setOperatingSystem(_ name: String?) throws(DeviceDescriptionError) {
        if let name, !DescriptionForm.isOperatingSystem(name) { throw .badOperatingSystem(name) }
        operatingSystem = name?.lowercased()
    }

    /// - Parameter language: A BCP 47 tag of at most 35 bytes, also with low lines (`de_CH`); nil to tell none.
    /// - Throws: ``DeviceDescriptionError`` for anything else; the old language stays.
    public mutating func setLanguage(_ language: String?) throws(DeviceDescriptionError) {
        let tag = language.map { String($0.map { $0 == "_" ? "-" : $0 }) }
        if let tag, !DescriptionForm.isLanguage(tag) { throw .badLanguage(tag) }
        self.language = tag
    }

    /// - Parameter country: Two letters of ISO 3166-1, small or capital; nil to tell none.
    /// - Throws: ``DeviceDescriptionError`` for anything else; the old country stays.
    public mutating func setCountry(_ country: String?) throws(DeviceDescriptionError) {
        if let country, !DescriptionForm.isCountry(country) { throw .badCountry(country) }
        self.country = country?.uppercased()
    }

    /// - Parameter tags: At most ``tagLimit`` different ones; each has 1 to 32 letters, digits, hyphens or underscores.
    /// - Throws: ``DeviceDescriptionError`` for anything else; the old tags stay.
    public mutating func setTags(_ tags: [String]) throws(DeviceDescriptionError) {
        var known = Set<String>()
        for tag in tags {
            guard DescriptionForm.isTag(tag) else { throw .badTag(tag) }
            known.insert(tag)
            guard known.count <= Self.tagLimit else { throw .tooManyTags }
        }
        self.tags = tags.filter { known.remove($0) != nil }
    }

    /// The same without what is the user's rather than the device's.
    var withoutUser: DeviceDescription {
        var description = self
        (description.language, description.country) = (nil, nil)
        return description
    }
}

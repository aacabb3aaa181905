import Foundation

extension DeviceDescription {
    /// The description by the program's bundle and the user's settings. It leaves out values that are missing or
    /// malformed.
    static func system(_ environment: [String: String]) -> DeviceDescription {
        #if canImport(Darwin)
            let (language, country) = (Locale.preferredLanguages.first, Locale.current.region?.identifier)
        #else
            let locale = POSIXLocale(environment)
            let (language, country) = (locale.language, locale.country)
        #endif
        let version = Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String
        return found(appVersion: version, language: language, country: country)
    }

    /// A description with these values, without the malformed ones.
    static func found(appVersion: String?, language: String?, country: String?) -> DeviceDescription {
        var description = DeviceDescription()
        try? description.setAppVersion(appVersion)
        try? description.setLanguage(language)
        try? description.setCountry(country)
        return description
    }

    /// The name of the operating system; nil for an unknown one.
    static var thisSystem: String? {
        #if os(Linux)
            "linux"
        #elseif os(iOS)
            "ios"
        #elseif os(macOS)
            "macos"
        #elseif os(tvOS)
            "tvos"
        #elseif os(watchOS)
            "watchos"
        #elseif os(visionOS)
            "visionos"
        #elseif os(Android)
            "android"
        #elseif os(Windows)
            "windows"
        #else
            nil
        #endif
    }
}

/// The user's language and country, read from the environment of a POSIX system. Pure.
struct POSIXLocale {
    /// nil without a language, as with the locale `C`.
    let language: String?
    let country: String?

    init(_ environment: [String: String]) {
        let messages = Self.locale("LC_MESSAGES", environment)
        // The list of languages applies only if a locale is set, as in the system's own programs.
        let first = messages.flatMap { _ in
            environment["LANGUAGE"]?.split(separator: ":").first.flatMap { Self.parts(String($0)) }
        }
        language = (first ?? messages).map { $0.joined(separator: "-") }
        country = Self.locale("LC_ADDRESS", environment).flatMap { $0.count > 1 ? $0[1] : nil }
    }

    /// The locale of one category: `LC_ALL` overrides it, and `LANG` is the default.
    private static func locale(_ category: String, _ environment: [String: String]) -> [String]? {
        let names = ["LC_ALL", category, "LANG"].compactMap { environment[$0] }
        return names.first { !$0.isEmpty }.flatMap(parts)
    }

    /// Language and country of `language_COUNTRY.codeset@modifier`; nil for locales without a language.
    private static func parts(_ name: String) -> [String]? {
        let text = name.prefix { $0 != "." && $0 != "@" }
        let parts = text.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
        return ["", "C", "POSIX"].contains(parts[0]) ? nil : parts
    }
}

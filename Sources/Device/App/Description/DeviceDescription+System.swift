import Foundation

extension DeviceDescription {
    /// What the program's bundle and the user's settings say; what they do not say, or say in a form of their own, is not told.
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

    static func found(appVersion: String?, language: String?, country: String?) -> DeviceDescription {
        var description = DeviceDescription()
        try? description.setAppVersion(appVersion)
        try? description.setLanguage(language)
        try? description.setCountry(country)
        return description
    }

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

import HearthWire

/// Which audiences a release may have: words that a device can have, and lists of bounded length. The condition is
/// checked by the module that knows its language.
enum AudienceValidator {
    static let itemLimit = 64

    static func check(_ audience: Audience) throws(CatalogError) {
        let from = try version(audience.appVersionFrom)
        let below = try version(audience.appVersionBelow)
        if let from, let below, from >= below {
            throw CatalogError(
                .invalidArgument,
                "No app version is at least \(from.description) and below \(below.description): no device can match this audience."
            )
        }
        try check(audience.operatingSystems, "operating systems", WireNames.isOperatingSystem) {
            "An operating system must be a word in small letters, such as linux or android, not \($0)."
        }
        try check(audience.languages, "languages", WireNames.isLanguage) {
            "A language must be a BCP 47 tag, such as de or pt-BR, not \($0)."
        }
        try check(audience.countries, "countries", WireNames.isCountry) {
            "A country must be two capital letters of ISO 3166-1, such as CH, not \($0)."
        }
        try check(audience.tags, "tags", WireNames.isDisplayName) {
            "A tag must have 1 to 32 letters, digits, hyphens or underscores, unlike \($0)."
        }
    }

    /// Whether both describe the same devices, however they are written.
    static func isSame(_ one: Audience, _ other: Audience) -> Bool { canonical(one) == canonical(other) }

    /// Whether the one contains only devices of the other, as far as the lists of words show.
    static func isWithin(_ one: Audience, _ other: Audience) -> Bool {
        let (one, other) = (canonical(one), canonical(other))
        let (from, below) = (
            one.appVersionFrom.flatMap(DottedVersion.init), one.appVersionBelow.flatMap(DottedVersion.init)
        )
        if let least = other.appVersionFrom.flatMap(DottedVersion.init), from.map({ $0 < least }) ?? true {
            return false
        }
        if let end = other.appVersionBelow.flatMap(DottedVersion.init), below.map({ $0 > end }) ?? true { return false }
        // Conditions are compared as texts: only an identical one is known to be as narrow.
        guard other.condition == nil || one.condition == other.condition else { return false }
        let lists: [KeyPath<Audience, [String]>] = [\.operatingSystems, \.countries, \.tags]
        return isWithin(one.languages, other.languages, coversLanguage)
            && lists.allSatisfy { isWithin(one[keyPath: $0], other[keyPath: $0], ==) }
    }

    /// - Parameter covers: whether the first word applies to every device to which the second applies.
    private static func isWithin(
        _ words: [String], _ all: [String], _ covers: (String, String) -> Bool
    ) -> Bool {
        all.isEmpty || (!words.isEmpty && words.allSatisfy { word in all.contains { covers($0, word) } })
    }

    /// `de` also covers `de-CH`. Both in lower case.
    private static func coversLanguage(_ range: String, _ tag: String) -> Bool {
        tag == range || tag.hasPrefix(range + "-")
    }

    private static func canonical(_ audience: Audience) -> Audience {
        var audience = audience
        audience.appVersionFrom = audience.appVersionFrom.flatMap { DottedVersion($0)?.description }
        audience.appVersionBelow = audience.appVersionBelow.flatMap { DottedVersion($0)?.description }
        audience.operatingSystems = Set(audience.operatingSystems).sorted()
        audience.languages = Set(audience.languages.map { $0.lowercased() }).sorted()
        audience.countries = Set(audience.countries).sorted()
        audience.tags = Set(audience.tags).sorted()
        return audience
    }

    private static func version(_ text: String?) throws(CatalogError) -> DottedVersion? {
        guard let text else { return nil }
        guard let version = DottedVersion(text) else {
            throw CatalogError(
                .invalidArgument,
                "An app version must be numbers with dots, such as 2.10.0, not \(OneLineText.quoted(text)).")
        }
        return version
    }

    private static func check(
        _ items: [String], _ name: String, _ isValid: (String) -> Bool, text: (String) -> String
    ) throws(CatalogError) {
        guard items.count <= itemLimit else {
            throw CatalogError(
                .invalidArgument, "An audience may have at most \(itemLimit) \(name); these are \(items.count).")
        }
        guard let bad = items.first(where: { !isValid($0) }) else { return }
        throw CatalogError(.invalidArgument, text(OneLineText.quoted(bad)))
    }
}

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

/// Words of an audience that no known device has. They may be right, because apps choose what they send.
enum AudienceWarnings {
    /// The systems that Hearth's library reports, and the two that the server assumes for other clients.
    static let operatingSystems = [
        "android", "ios", "linux", "macos", "tvos", "visionos", "watchos", "windows",
    ]

    /// One line each.
    static func unknown(in audience: Audience) -> [String] {
        let systems = audience.operatingSystems.filter { !operatingSystems.contains($0) }
        return systems.map {
            "no device is known to have the operating system \(OneLineText.quoted($0)); known are "
                + operatingSystems.joined(separator: ", ")
        }
            + audience.languages.filter { !isKnown($0) }.map {
                "no language has the code \(OneLineText.quoted($0)); codes are those of ISO 639, such as de, en, es, fr, "
                    + "it, ja, pt-BR, zh"
            }
    }

    /// Three-letter codes are not checked: there are thousands of them, and a typing error rarely produces one. Longer
    /// codes are reserved.
    private static func isKnown(_ language: String) -> Bool {
        let code = language.lowercased().prefix { $0 != "-" }
        return code.utf8.count == 3 || languages.contains(code)
    }

    /// The two-letter codes of ISO 639.
    private static let languages = Set(
        """
        aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv \
        dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie \
        ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv \
        mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm \
        rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr \
        ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
        """.split(separator: " "))
}

package import HearthWire

/// Words of an audience or a condition that no known device has. They may be right, because apps choose what they send.
package enum AudienceWarnings {
    /// The systems that Hearth's library reports, and the two that the server assumes for other clients.
    private static let operatingSystems = [
        "android", "ios", "linux", "macos", "tvos", "visionos", "watchos", "windows",
    ]

    /// One line each.
    package static func unknown(in audience: Audience) -> [String] {
        audience.operatingSystems.compactMap { operatingSystem($0) } + audience.languages.compactMap(language)
            + audience.countries.compactMap(country)
    }

    /// - Parameter others: systems that are known besides.
    /// - Returns: nil for a known word.
    package static func operatingSystem(_ word: String, others: [String] = []) -> String? {
        let known = operatingSystems + others
        guard !known.contains(word) else { return nil }
        return "no device is known to have the operating system \(OneLineText.quoted(word)); known are "
            + known.joined(separator: ", ")
    }

    /// - Returns: nil for a known code. Three-letter codes are not checked: there are thousands of them, and a typing error
    ///   rarely produces one. Longer codes are reserved.
    package static func language(_ tag: String) -> String? {
        let code = tag.lowercased().prefix { $0 != "-" && $0 != "_" }
        guard code.utf8.count != 3, !languages.contains(code) else { return nil }
        return
            "no language has the code \(OneLineText.quoted(tag)); codes are those of ISO 639, such as de, en, es, fr, "
            + "it, ja, pt-BR, zh"
    }

    /// - Returns: nil for a known code.
    package static func country(_ code: String) -> String? {
        let upper = code.uppercased()
        guard !countries.contains(upper[...]) else { return nil }
        let codes =
            usualMistakes[upper].map { "devices there send \($0)" }
            ?? "codes are those of ISO 3166-1, such as CH, GB, US"
        return "no country has the code \(OneLineText.quoted(code)); \(codes)"
    }

    /// Codes that the countries themselves use, and that no device sends.
    private static let usualMistakes = ["UK": "GB", "EL": "GR"]

    /// The two-letter codes of ISO 3166-1, and XK, which devices send in Kosovo.
    private static let countries = Set(
        """
        AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT \
        BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH \
        ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT \
        HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS \
        LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI \
        NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG \
        SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG \
        UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW
        """.split(separator: " "))

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

import HearthWire

/// Names of an audience that no device is known to say. They may be meant so: apps choose what they tell.
enum AudienceNames {
    /// What Hearth's library says of the systems that it knows, and the two that other clients are taken for.
    static let operatingSystems = [
        "android", "ios", "linux", "macos", "tvos", "visionos", "watchos", "windows",
    ]

    /// One line each.
    static func unknown(in audience: Audience) -> [String] {
        let systems = audience.operatingSystems.filter { !operatingSystems.contains($0) }
        return systems.map {
            "no device is known to have the operating system \(CallerText.quoted($0)); known are "
                + operatingSystems.joined(separator: ", ")
        }
            + audience.languages.filter { !isKnown($0) }.map {
                "no language has the code \(CallerText.quoted($0)); codes are those of ISO 639, such as de, en, es, fr, "
                    + "it, ja, pt-BR, zh"
            }
    }

    /// Codes of three letters are thousands and hardly anybody slips into one; longer ones are kept for later.
    private static func isKnown(_ language: String) -> Bool {
        let code = language.lowercased().prefix { $0 != "-" }
        return code.utf8.count == 3 || languages.contains(code)
    }

    /// The codes of two letters of ISO 639.
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

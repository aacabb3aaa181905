package import HearthWire

/// An audience on one line: `app 2.1 to below 3, ios or linux, de, tag beta, if percent <= 10`. It can follow "20% of".
package enum AudienceText {
    package static func text(_ audience: Audience?) -> String {
        guard let audience, !audience.isEverybody else { return "all devices" }
        var parts: [String] = []
        switch (audience.appVersionFrom, audience.appVersionBelow) {
        case (let from?, let below?): parts.append("app \(from) to below \(below)")
        case (let from?, nil): parts.append("app from \(from)")
        case (nil, let below?): parts.append("app below \(below)")
        case (nil, nil): break
        }
        for list in [audience.operatingSystems, audience.languages, audience.countries] where !list.isEmpty {
            parts.append(list.joined(separator: " or "))
        }
        if !audience.tags.isEmpty { parts.append("tag \(audience.tags.joined(separator: " or "))") }
        if let condition = audience.condition {
            parts.append(parts.isEmpty ? "the devices that meet \(condition)" : "if \(condition)")
        }
        return parts.joined(separator: ", ").printable
    }
}

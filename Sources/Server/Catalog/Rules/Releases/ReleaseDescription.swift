import HearthWire

/// Texts about releases, for the audit log and errors.
enum ReleaseDescription {
    /// `10 %`, `0.25 %`.
    static func share(_ millionths: Int) -> String {
        let fraction = String(String(10_000 + millionths % 10_000).dropFirst())
        let digits = fraction.reversed().drop { $0 == "0" }.reversed()
        return "\(millionths / 10_000)" + (digits.isEmpty ? "" : "." + String(digits)) + " %"
    }

    static func time(_ microseconds: Int64) -> String {
        Timestamp(microseconds: microseconds).rfc3339(fractionDigits: 0)
    }

    static func numbers(_ numbers: [Int]) -> String {
        (numbers.count == 1 ? "release " : "releases ") + numbers.map(String.init).joined(separator: ", ")
    }

    static func title(_ release: Release) -> String { "release \(release.number), version \(release.version)" }

    /// The share before the stages, then each stage.
    static func schedule(_ release: Release) -> String {
        let stages = release.stages.map { "\(share($0.shareMillionths)) from \(time($0.atMicroseconds))" }
        return ([share(release.shareMillionths)] + stages).joined(separator: ", ")
    }

    /// `guarded (rollback), plan 1 %, 5 %, 100 %, held 7200 s, without crashes`.
    static func guarding(_ guarding: ReleaseGuarding) -> String {
        var parts = ["guarded (\(guarding.response.rawValue))"]
        if !guarding.plan.isEmpty { parts.append("plan " + guarding.plan.map(share).joined(separator: ", ")) }
        parts.append("held \(guarding.holdSeconds) s")
        if !guarding.off.isEmpty {
            parts.append("without " + guarding.off.map(\.rawValue).sorted().joined(separator: ", "))
        }
        return parts.joined(separator: ", ")
    }

    static func audience(_ audience: Audience) -> String {
        let parts = [
            audience.appVersionFrom.map { "app from \($0)" }, audience.appVersionBelow.map { "app below \($0)" },
            list("os", audience.operatingSystems), list("language", audience.languages),
            list("country", audience.countries), list("tag", audience.tags),
            audience.condition.map { "condition \($0)" },
        ]
        let text = parts.compactMap { $0 }.joined(separator: ", ")
        return text.isEmpty ? "everybody" : text
    }

    private static func list(_ name: String, _ items: [String]) -> String? {
        items.isEmpty ? nil : "\(name) \(items.joined(separator: "|"))"
    }
}

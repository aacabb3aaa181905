@testable import HearthAPITestSupport

/// What the app says of itself.
extension ConditionCase {
    static let appVersions =
        texts("app.version", \.version) + ordered("app.version", \.version) + [
            // Pages have no version: whichever way the term asks, it is false.
            ConditionCase("app.version.notContains(['3'])", in: .ios(), out: .web()),
            ConditionCase("app.version.!=(['3'])", in: .android(), out: .web()),
            ConditionCase(
                "app.version.>(['2.9'])", in: .android { $0.version = "2.10" }, out: .ios { $0.version = "beta" }),
        ]

    static let appBuilds = texts("app.build", \.build) + ordered("app.build", \.build)

    private static func texts(
        _ name: String, _ fact: WritableKeyPath<FetchingDevice, String>
    ) -> [ConditionCase] {
        func ios(_ text: String) -> FetchingDevice { .ios { $0[keyPath: fact] = text } }
        func android(_ text: String) -> FetchingDevice { .android { $0[keyPath: fact] = text } }
        return [
            ConditionCase("\(name).contains(['7', '10'])", in: ios("2.10.1"), out: android("2.11")),
            ConditionCase("\(name).notContains(['7', '10'])", in: android("2.11"), out: ios("2.10.1")),
            ConditionCase("\(name).exactlyMatches(['2.10', '2.10.1'])", in: ios("2.10.1"), out: ios("2.10.12")),
            ConditionCase("\(name).matches(['^9', '\\.1[0-3]$'])", in: android("2.13"), out: android("2.14")),
        ]
    }

    private static func ordered(
        _ name: String, _ fact: WritableKeyPath<FetchingDevice, String>
    ) -> [ConditionCase] {
        func ios(_ text: String) -> FetchingDevice { .ios { $0[keyPath: fact] = text } }
        func android(_ text: String) -> FetchingDevice { .android { $0[keyPath: fact] = text } }
        return [
            ConditionCase("\(name).<(['2.10'])", in: ios("2.9.9"), out: ios("2.10")),
            ConditionCase("\(name).<=(['2.10'])", in: android("2.10.0"), out: android("2.10.1")),
            ConditionCase("\(name).>(['2.10'])", in: ios("2.10.1"), out: ios("2.10")),
            ConditionCase("\(name).>=(['2.10'])", in: android("2.10"), out: android("2.9.9")),
            ConditionCase("\(name).==(['2.10'])", in: ios("2.10.0"), out: ios("2.1")),
            ConditionCase("\(name).!=(['2.10'])", in: android("2.1"), out: android("2.10.0")),
        ]
    }

    static let apps = [
        ConditionCase("app.id == '1:1234:ios:ab12'", in: .ios(), out: .ios { $0.app = "ab13" }),
        ConditionCase(
            "app.firebaseInstallationId in ['dJ3k9QpLx7RbVw2TzYm5Hn', 'fTh6vM2yPj9GoLi3RwEx5C']",
            in: .web { $0.id = "fTh6vM2yPj9GoLi3RwEx5C" }, out: .web()),
    ]

    private static func opened(_ time: String) -> FetchingDevice { .ios { $0.firstOpen = time } }

    private static func openedPrecisely(_ time: String) -> FetchingDevice { .android { $0.firstOpen = time } }

    static let firstOpenings = [
        ConditionCase(
            "app.firstOpenTimestamp < ('2022-10-31T14:37:47')", in: opened("2022-10-31T14:37:46Z"),
            out: opened("2022-10-31T14:37:47Z")),
        ConditionCase(
            "app.firstOpenTimestamp <= ('2022-10-31T14:37:47')", in: openedPrecisely("2022-10-31T14:37:47.000Z"),
            out: openedPrecisely("2022-10-31T14:37:47.001Z")),
        ConditionCase(
            "app.firstOpenTimestamp > ('2022-10-31T14:37:47', 'America/Los_Angeles')",
            in: openedPrecisely("2022-10-31T21:37:47.001Z"), out: openedPrecisely("2022-10-31T21:37:47.000Z")),
        ConditionCase(
            "app.firstOpenTimestamp >= ('2022-12-31T14:37:47', 'America/Los_Angeles')",
            in: opened("2022-12-31T22:37:47Z"), out: opened("2022-12-31T22:37:46Z")),
        ConditionCase(
            "app.firstOpenTimestamp >= dateTime('2022-10-31T14:37:47', 'Asia/Kolkata')",
            in: opened("2022-10-31T09:07:47Z"), out: opened("2022-10-31T09:07:46Z")),
        // Nothing is known of when a page was opened first.
        ConditionCase(
            "app.firstOpenTimestamp > ('2000-01-01T00:00:00')", in: opened("2022-10-31T14:37:47Z"), out: .web()),
    ]
}

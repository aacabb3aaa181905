@testable import HearthManagementTestSupport

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
        _ name: String, _ fact: WritableKeyPath<FakeConfigClient, String>
    ) -> [ConditionCase] {
        func ios(_ text: String) -> FakeConfigClient { .ios { $0[keyPath: fact] = text } }
        func android(_ text: String) -> FakeConfigClient { .android { $0[keyPath: fact] = text } }
        return [
            ConditionCase("\(name).contains(['7', '10'])", in: ios("2.10.1"), out: android("2.11")),
            ConditionCase("\(name).notContains(['7', '10'])", in: android("2.11"), out: ios("2.10.1")),
            ConditionCase("\(name).exactlyMatches(['2.10', '2.10.1'])", in: ios("2.10.1"), out: ios("2.10.12")),
            ConditionCase("\(name).matches(['^9', '\\.1[0-3]$'])", in: android("2.13"), out: android("2.14")),
        ]
    }

    private static func ordered(
        _ name: String, _ fact: WritableKeyPath<FakeConfigClient, String>
    ) -> [ConditionCase] {
        func ios(_ text: String) -> FakeConfigClient { .ios { $0[keyPath: fact] = text } }
        func android(_ text: String) -> FakeConfigClient { .android { $0[keyPath: fact] = text } }
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

    private static func opened(_ time: String) -> FakeConfigClient { .ios { $0.firstOpen = time } }

    private static func openedPrecisely(_ time: String) -> FakeConfigClient { .android { $0.firstOpen = time } }

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

/// What the device is, where and when it asks, and what chance says of it.
extension ConditionCase {
    static let devices = [
        ConditionCase(
            "device.country in ['GB', 'CH']", in: .ios { $0.country = "ch" }, out: .ios { $0.country = "de" }),
        ConditionCase(
            "device.country in ['gb', 'ch']", in: .android { $0.country = "CH" }, out: .android { $0.country = "DE" }),
        ConditionCase("device.country in ['US']", in: .ios(), out: .web()),
        ConditionCase(
            "device.language in ['fr', 'de']", in: .ios { $0.language = "de_CH" }, out: .ios { $0.language = "den" }),
        ConditionCase(
            "device.language in ['en-US']", in: .web { $0.language = "en-US" }, out: .web { $0.language = "en-GB" }),
        ConditionCase(
            "device.language in ['zh_hans']", in: .android { $0.language = "zh-Hans-CN" },
            out: .android { $0.language = "zh-Hant-TW" }),
        ConditionCase("device.os == 'ios'", in: .ios(), out: .android()),
        ConditionCase("device.os == 'Android'", in: .android(), out: .web()),
        ConditionCase("device.os == 'web'", in: .web(), out: .ios()),
        ConditionCase("device.os != 'android'", in: .web(), out: .android()),
    ]

    private static func asking(_ seconds: Int64) -> FakeConfigClient { .android { $0.asksAfterSeconds = seconds } }

    /// The test's clock starts 123 millionths of a second after eight o'clock.
    static let times = [
        ConditionCase("dateTime < dateTime('2027-01-15T08:00:01')", in: asking(0), out: asking(1)),
        ConditionCase("dateTime >= dateTime('2027-01-15T08:00:00')", in: asking(0), out: asking(-1)),
        ConditionCase("dateTime >= dateTime('2027-01-15T09:00:05', 'Europe/Zurich')", in: asking(5), out: asking(4)),
        ConditionCase(
            "dateTime < dateTime('2027-07-15T09:00:00', 'Europe/Zurich')", in: asking(0), out: asking(15_634_800)),
        ConditionCase("device.dateTime < dateTime('2027-01-16T00:00:00', 'GMT')", in: asking(0), out: asking(86_400)),
        ConditionCase(
            "dateTime >= dateTime('2027-01-15T08:01:00') && dateTime < dateTime('2027-01-15T08:02:00')",
            in: asking(60), out: asking(120)),
    ]

    private static func installation(_ id: String) -> FakeConfigClient { .web { $0.id = id } }

    /// Where an installation stands was computed apart: SHA-256 of `id` or `seed.id` modulo 100,000,000. Of the three
    /// without a seed: 12.116094, 46.209279, 79.810143 percent; with the seed `colours`: 75.473813, 21.714964, 15.884872;
    /// with `Colours`: 78.528727, 79.105943, 2.115702; with `s-_.9`: 94.305784, 47.806173, 0.970302.
    private static let (low, middle, high) = (
        installation("fTh6vM2yPj9GoLi3RwEx5C"), installation("cAAAAAAAAAAAAAAAAAAAA1"),
        installation("cKz7uD1aSb5nQeYt8Fm_4V")
    )

    static let percentages = [
        ConditionCase("percent <= 12.116094", in: low, out: middle),
        ConditionCase("percent <= 79.810142", in: middle, out: high),
        ConditionCase("percent > 46.209278", in: middle, out: low),
        ConditionCase("percent > 46.209279", in: high, out: middle),
        ConditionCase("percent between 12.116094 and 46.209279", in: middle, out: low),
        ConditionCase("percent between 46 and 79.810142", in: middle, out: high),
        ConditionCase("percent('colours') <= 20", in: high, out: middle),
        ConditionCase("percent('Colours') <= 79", in: low, out: middle),
        ConditionCase("percent('colours') > 21.714964", in: low, out: middle),
        ConditionCase("percent('s-_.9') between 0.5 and 47.806172", in: high, out: middle),
        ConditionCase("percent <= 100", in: high, out: nil),
        ConditionCase("percent between 0 and 100", in: low, out: nil),
        ConditionCase("percent > 100", in: nil, out: high),
        ConditionCase("percent('colours') > 0 && percent('Colours') <= 50", in: high, out: low),
    ]

    private static func tagged(_ tags: String) -> FakeConfigClient { .ios { $0.tags = tags } }

    static let tags = [
        ConditionCase("hearth.tags.inAtLeastOne(['beta', 'gamma'])", in: tagged("kiosk, beta"), out: tagged("kiosk")),
        ConditionCase("hearth.tags.notInAtLeastOne(['beta', 'gamma'])", in: tagged("kiosk"), out: tagged("kiosk,beta")),
        ConditionCase("hearth.tags.inAll(['beta', 'kiosk'])", in: tagged("kiosk,x,beta"), out: tagged("kiosk")),
        ConditionCase("hearth.tags.notInAll(['beta', 'kiosk'])", in: tagged("kiosk"), out: tagged("kiosk,beta")),
    ]

    /// What is known to Google's analytics only, or what no client sends: read, and true of nobody.
    static let unknown = [
        "app.audiences", "app.importedSegments", "app.operatingSystemAndVersion", "app.browserAndVersion",
    ].flatMap { signal in
        ["inAtLeastOne", "notInAtLeastOne", "inAll", "notInAll"].map {
            ConditionCase(
                "\(signal).\($0)(['a', 'b'])", in: nil, out: signal.hasSuffix("rowserAndVersion") ? .web() : .ios())
        }
    }
}

/// What the app says of its user, and whatever else it likes to say.
extension ConditionCase {
    static let userProperties =
        words("app.userProperty", { name in { value in .android { $0.properties = "\"\(name)\":\(value)" } } })
        + numbers("app.userProperty", { name in { value in .ios { $0.properties = "\"\(name)\":\(value)" } } })
        + versions("app.userProperty", { name in { value in .ios { $0.properties = "\"\(name)\":\(value)" } } })
        + [
            ConditionCase(
                "app.userProperty['plan'].notContains(['gold'])", in: .ios { $0.properties = #""plan":"free""# },
                out: .ios()),
            // A web client has no user properties.
            ConditionCase(
                "app.userProperty['age'] != 7", in: .android { $0.properties = #""age":"41""# }, out: .web()),
        ]

    static let customSignals =
        words("app.customSignal", { name in { value in .web { $0.signals = "\"\(name)\":\(value)" } } })
        + numbers("app.customSignal", { name in { value in .android { $0.signals = "\"\(name)\":\(value)" } } })
        + versions("app.customSignal", { name in { value in .web { $0.signals = "\"\(name)\":\(value)" } } })
        + [
            ConditionCase(
                "app.customSignal['city'].exactlyMatches(['L\\'Aquila'])",
                in: .ios { $0.signals = #""city":"L'Aquila""# }, out: .ios { $0.signals = #""city":"LAquila""# }),
            ConditionCase(
                "app.customSignal['vip'].exactlyMatches(['true'])", in: .web { $0.signals = #""vip":true"# },
                out: .web { $0.signals = #""vip":1"# }),
        ]

    /// A device of which the signal of that name has that JSON value.
    private typealias Having = (_ name: String) -> (_ value: String) -> FakeConfigClient

    private static func words(_ signal: String, _ having: Having) -> [ConditionCase] {
        let device = having("city")
        return [
            ConditionCase("\(signal)['city'].contains(['x', 'ern'])", in: device(#""Bern""#), out: device(#""Basel""#)),
            ConditionCase(
                "\(signal)['city'].notContains(['x', 'ern'])", in: device(#""Basel""#), out: device(#""Bern""#)),
            ConditionCase(
                "\(signal)['city'].exactlyMatches(['Bern'])", in: device(#""Bern""#), out: device(#""bern""#)),
            ConditionCase("\(signal)['city'].matches(['^B.*n$'])", in: device(#""Bern""#), out: device(#""Berne""#)),
        ]
    }

    private static func numbers(_ signal: String, _ having: Having) -> [ConditionCase] {
        let device = having("age")
        return [
            ConditionCase("\(signal)['age'] == 41", in: device(#""41.0""#), out: device("42")),
            ConditionCase("\(signal)['age'] != 41", in: device("42"), out: device(#""41""#)),
            ConditionCase("\(signal)['age'] < -1.5", in: device("-2"), out: device("-1.5")),
            ConditionCase("\(signal)['age'] <= 41", in: device("41"), out: device(#""41.01""#)),
            ConditionCase("\(signal)['age'] > 41", in: device(#""100""#), out: device("41")),
            ConditionCase("\(signal)['age'] >= 41.5", in: device("41.5"), out: device(#""9""#)),
            ConditionCase("\(signal)['age'] != 7", in: device("8"), out: device(#""old""#)),
            ConditionCase("\(signal)['age'] != 8", in: device("7"), out: device(#""nan""#)),
        ]
    }

    private static func versions(_ signal: String, _ having: Having) -> [ConditionCase] {
        let device = having("shop")
        let term = "version(\(signal)['shop'])"
        return [
            ConditionCase("\(term) == '1.10'", in: device(#""1.10.0""#), out: device(#""1.1""#)),
            ConditionCase("\(term) != '1.10'", in: device(#""1.1""#), out: device(#""1.10.0""#)),
            ConditionCase("\(term) < '1.10'", in: device(#""1.9""#), out: device(#""1.10""#)),
            ConditionCase("\(term) <= '1.10'", in: device(#""1.10""#), out: device(#""1.10.1""#)),
            ConditionCase("\(term) > '1.10'", in: device(#""1.10.1""#), out: device(#""1.9""#)),
            ConditionCase("\(term) >= '1.10'", in: device(#""2""#), out: device(#""new""#)),
        ]
    }
}

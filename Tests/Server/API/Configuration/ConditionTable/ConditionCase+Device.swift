@testable import HearthAPITestSupport

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

    private static func asking(_ seconds: Int64) -> FetchingDevice { .android { $0.asksAfterSeconds = seconds } }

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

    private static func installation(_ id: String) -> FetchingDevice { .web { $0.id = id } }

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

    private static func tagged(_ tags: String) -> FetchingDevice { .ios { $0.tags = tags } }

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

@testable import HearthAPITestSupport

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
    private typealias Having = (_ name: String) -> (_ value: String) -> FetchingDevice

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

import HearthTargeting
import HearthWire
import Testing

/// Every operator and signal, with cases that are true and cases that are false.
struct ConditionTests {
    /// 2026-11-21T12:00:00Z.
    static let now: Int64 = 1_795_262_400_000_000

    static var device: DeviceFacts {
        var device = DeviceFacts(installationID: "dXYZ0123456789abcdefgh", appID: "1:1234:ios:ab12")
        device.appVersion = "2.10.1"
        device.appBuild = "341"
        device.operatingSystem = "ios"
        device.languages = ["de-CH", "fr"]
        device.country = "CH"
        device.tags = ["kiosk", "beta"]
        device.userProperties = ["plan": "gold", "age": "41"]
        device.customSignals = ["city": "Bern", "level": "7.5", "shop": "1.10.0"]
        // 2022-10-31T14:37:47Z.
        device.firstOpenMicroseconds = 1_667_227_067_000_000
        return device
    }

    static let trueOnes = [
        "true", "true && true",
        "app.version.contains(['10', 'x'])", "app.version.notContains(['3.', '9'])",
        "app.version.exactlyMatches(['2.10.1'])", "app.version.exactlyMatches(['1', ' 2.10.1 '])",
        "app.version.matches(['^2\\.1[0-9]'])", "app.version.<(['2.11'])", "app.version.<=(['2.10.1.0'])",
        "app.version.>(['2.9.9'])", "app.version.>=(['2.10.1'])", "app.version.==(['2.10.1'])",
        "app.version.!=(['2.10'])", "app.build.>=(['341'])", "app.build.contains(['34'])",
        "app.id == '1:1234:ios:ab12'", "app.firebaseInstallationId in ['other', 'dXYZ0123456789abcdefgh']",
        "device.country in ['US', 'CH']", "device.country in ['ch']", "device.language in ['de']",
        "device.language in ['en', 'de_CH']", "device.os == 'ios'", "device.os == 'iOS'", "device.os != 'android'",
        "app.userProperty['plan'].contains(['old'])", "app.userProperty['plan'].notContains(['silver'])",
        "app.userProperty['plan'].exactlyMatches(['gold'])", "app.userProperty['plan'].matches(['g.+d$'])",
        "app.userProperty['age'] == 41", "app.userProperty['age'] != 40", "app.userProperty['age'] < 41.5",
        "app.userProperty['age'] <= 41", "app.userProperty['age'] > -1", "app.userProperty['age'] >= 41",
        "app.customSignal['city'].exactlyMatches(['Bern'])", "app.customSignal['level'] > 7",
        "version(app.customSignal['shop']) >= '1.9'", "version(app.customSignal['shop']) == '1.10'",
        "app.firstOpenTimestamp <= ('2022-10-31T14:37:47')",
        "app.firstOpenTimestamp > ('2022-10-31T07:37:46', 'America/Los_Angeles')",
        "app.firstOpenTimestamp >= dateTime('2022-10-31T14:37:47')",
        "dateTime < dateTime('2026-11-21T12:00:01')", "dateTime >= dateTime('2026-11-21T12:00:00')",
        "dateTime >= dateTime('2026-11-21T13:00:00', 'Europe/Zurich')",
        "device.dateTime < dateTime('2027-01-01T00:00:00')",
        "hearth.tags.inAtLeastOne(['beta', 'x'])", "hearth.tags.inAll(['beta', 'kiosk'])",
        "hearth.tags.notInAtLeastOne(['x'])", "hearth.tags.notInAll(['beta', 'x'])",
        "percent <= 100", "percent > 0", "percent between 0 and 100", "percent('s-_.9') <= 100",
        "app.customSignal['city'].exactlyMatches(['it\\'s', 'Bern'])",
        "device.os == 'ios' && device.country in ['CH'] && app.version.>(['2'])",
    ]

    static let falseOnes = [
        "false", "true && false",
        "app.version.contains(['11', 'x'])", "app.version.notContains(['3.', '10'])",
        "app.version.exactlyMatches(['2.10'])", "app.version.matches(['^10'])", "app.version.<(['2.10.1'])",
        "app.version.<=(['2.10'])", "app.version.>(['2.10.1'])", "app.version.>=(['2.10.2'])",
        "app.version.==(['2.1'])", "app.version.!=(['2.10.1.0'])", "app.build.<(['341'])",
        "app.id == '1:1234:ios:ab13'", "app.firebaseInstallationId in ['dXYZ']",
        "device.country in ['US', 'DE']", "device.language in ['fr']", "device.language in ['de-AT', 'd']",
        "device.os == 'android'", "device.os != 'ios'", "app.userProperty['plan'].contains(['Gold'])",
        "app.userProperty['plan'].notContains(['silver', 'ld'])", "app.userProperty['plan'].exactlyMatches(['gol'])",
        "app.userProperty['plan'].matches(['^old'])", "app.userProperty['age'] == 41.5",
        "app.userProperty['age'] != 41", "app.userProperty['age'] < 41", "app.userProperty['age'] <= 40.9",
        "app.userProperty['age'] > 41", "app.userProperty['age'] >= 42", "app.userProperty['plan'] == 1",
        "app.customSignal['city'].exactlyMatches(['bern'])", "app.customSignal['level'] > 8",
        "version(app.customSignal['shop']) < '1.9'", "version(app.customSignal['city']) != '1'",
        "app.firstOpenTimestamp <= ('2022-10-31T14:37:46')",
        "app.firstOpenTimestamp > ('2022-10-31T07:37:47', 'America/Los_Angeles')",
        "dateTime < dateTime('2026-11-21T12:00:00')", "dateTime >= dateTime('2026-11-21T12:00:01')",
        "hearth.tags.inAtLeastOne(['x'])", "hearth.tags.inAll(['beta', 'x'])",
        "hearth.tags.notInAtLeastOne(['x', 'beta'])", "hearth.tags.notInAll(['beta'])",
        "percent > 100", "percent('s') > 100",
        // What no device tells can hold in no way.
        "app.audiences.inAtLeastOne(['a'])", "app.audiences.notInAtLeastOne(['a'])",
        "app.importedSegments.notInAll(['a'])", "app.operatingSystemAndVersion.inAtLeastOne(['macOS 14'])",
        "app.browserAndVersion.notInAtLeastOne(['Chrome 1'])",
    ]

    @Test(arguments: trueOnes) func isTrue(_ text: String) throws {
        #expect(try Condition(text).holds(for: Self.device, nowMicroseconds: Self.now))
    }

    @Test(arguments: falseOnes) func isFalse(_ text: String) throws {
        #expect(try !Condition(text).holds(for: Self.device, nowMicroseconds: Self.now))
    }

    /// A signal that was not sent makes its rule false, whichever way round it asks.
    @Test(arguments: [
        "app.version.notContains(['1'])", "app.version.!=(['1'])", "app.build.<(['1'])", "device.country in ['CH']",
        "device.language in ['de']", "device.os != 'ios'", "app.userProperty['plan'].notContains(['x'])",
        "app.userProperty['age'] != 1", "app.customSignal['k'].notContains(['x'])",
        "version(app.customSignal['k']) != '1'", "app.firstOpenTimestamp > ('2022-10-31T14:37:47')",
    ])
    func aSignalThatIsMissingIsFalse(_ text: String) throws {
        let silent = DeviceFacts(installationID: "f", appID: "a")
        #expect(try !Condition(text).holds(for: silent, nowMicroseconds: Self.now))
    }
}

struct ConditionValueTests {
    private func holds(_ text: String, signal value: String) throws -> Bool {
        var device = DeviceFacts(installationID: "f", appID: "a")
        device.customSignals = ["s": value]
        return try Condition(text).holds(for: device, nowMicroseconds: 0)
    }

    @Test(arguments: [
        ("== 9007199254740992", "9007199254740992", true), ("== 9007199254740992", "9007199254740993", false),
        ("!= 9007199254740992", "9007199254740993", true), ("> 9007199254740992", "9007199254740993", true),
        ("< -9007199254740992", "-9007199254740993", true), ("== 18446744073709551615", "18446744073709551615", true),
        ("== 18446744073709551615", "18446744073709551614", false),
        // As numbers, not as texts.
        ("== 7", "007", true), ("== 7", "7.0", true), ("== 7.0", "7", true), ("== 0.1", "0.10", true),
        ("== 100", "1e2", true), ("> 9007199254740992", "9007199254740992.5", true),
        ("== 9007199254740993", "9007199254740992.0", false), ("== 9007199254740993", "9007199254740993.0", true),
        ("== 0.05", "5.0E-2", true), ("< 0.30000000000000001", "0.3", true), ("< -0.3", "-0.30000000000000001", true),
        ("< 10", "9.99", true), ("> -10", "-9.99", true), ("== 0", "-0.00", true), ("> -1", "0", true),
        ("< 0", "-.5", true), ("== 5", "+5", true), ("> 1", "1e308", true), ("> 0", "5e-324", true),
    ])
    func numbersAreComparedExactly(term: String, value: String, isTrue: Bool) throws {
        #expect(try holds("app.customSignal['s'] \(term)", signal: value) == isTrue)
    }

    /// Neither comparison holds, because there is nothing to compare.
    @Test(arguments: [
        "0x10", "0x1p4", "inf", "-inf", "infinity", "nan", "", ".", "-", "1e", "e1", "1e5.5", "1.2.3", "1,5", "--1",
        "1e1000", "1e9223372036854775808", "\u{0661}",
    ])
    func onlyDecimalNumbersAreNumbers(value: String) throws {
        #expect(try !holds("app.customSignal['s'] != 3", signal: value))
        #expect(try !holds("app.customSignal['s'] == 3", signal: value))
    }

    /// An accented letter as one character, and as a letter with a combining accent, as file names of some systems have it.
    @Test(arguments: ["exactlyMatches", "contains", "matches"])
    func textsAreComparedByteByByte(name: String) throws {
        let text = "app.customSignal['s'].\(name)(['Z\u{FC}rich'])"
        #expect(try holds(text, signal: "Z\u{FC}rich"))
        #expect(try !holds(text, signal: "Zu\u{308}rich"))
        #expect(try holds("app.customSignal['s'].notContains(['Z\u{FC}rich'])", signal: "Zu\u{308}rich"))
    }
}

struct SkippedTimeTests {
    /// Where clocks skip a time, it is later by as much as was skipped: the moment after the change for the first of them.
    @Test(arguments: [
        ("2026-03-29T00:00:00", "Asia/Beirut", "2026-03-28T22:00:00"),
        ("2026-04-24T00:00:00", "Africa/Cairo", "2026-04-23T22:00:00"),
        ("2026-09-06T00:00:00", "America/Santiago", "2026-09-06T04:00:00"),
        ("2026-03-29T02:30:00", "Europe/Zurich", "2026-03-29T01:30:00"),
        // A whole day was skipped.
        ("2011-12-30T12:00:00", "Pacific/Apia", "2011-12-30T22:00:00"),
        // Of a time that clocks repeat, the first one counts.
        ("2026-10-25T02:30:00", "Europe/Zurich", "2026-10-25T00:30:00"),
    ])
    func aTimeThatClocksSkipIsOne(local: String, zone: String, inGMT: String) throws {
        func isReached(_ time: String, _ seconds: Int64) throws -> Bool {
            let moment = try #require(Timestamp(rfc3339: "\(time)Z")).microseconds + seconds * 1_000_000
            let condition = try Condition("dateTime >= dateTime('\(local)', '\(zone)')")
            return condition.holds(
                for: DeviceFacts(installationID: "f", appID: "a"), nowMicroseconds: moment)
        }
        #expect(try isReached(inGMT, 0))
        #expect(try !isReached(inGMT, -1))
    }

    @Test(arguments: ["2026-02-30T00:00:00", "2026-13-01T00:00:00", "2026-03-29T24:00:00", "2026-03-29T02:60:00"])
    func aDateThatNoCalendarHasIsNone(_ text: String) {
        #expect(throws: ConditionSyntaxError.self) { try Condition("dateTime > dateTime('\(text)', 'Europe/Zurich')") }
    }
}

struct ConditionWarningTests {
    @Test(arguments: [
        ("device.country in ['UK', 'CH', 'gb', 'XK']", ["'UK'; devices there send GB"]),
        ("device.country in ['Switzerland', 'ZZ']", ["'SWITZERLAND'; codes are those of ISO 3166-1", "'ZZ'"]),
        ("device.os == 'iphone'", ["'iphone'; known are"]), ("device.os != 'web'", []),
        ("device.language in ['english', 'pt_BR', 'gsw']", ["'english'"]),
        ("app.id == 'UK' && app.customSignal['c'].contains(['UK'])", []),
    ])
    func wordsThatNoDeviceSendsArePointedOut(text: String, parts: [String]) throws {
        let warnings = try Condition(text).warnings
        #expect(warnings.count == parts.count, "\(warnings)")
        for (warning, part) in zip(warnings, parts) { #expect(warning.contains(part), "\(warning)") }
    }
}

struct PercentTests {
    private static let installations = (0..<100_000).map { "f\($0)-installation" }

    private func share(_ condition: String) throws -> Int {
        let condition = try Condition(condition)
        return Self.installations.count {
            condition.holds(for: DeviceFacts(installationID: $0, appID: "a"), nowMicroseconds: 0)
        }
    }

    /// Five standard deviations: a right share falls outside once in two million.
    private func bound(_ fraction: Double) -> Double { 5 * (100_000 * fraction * (1 - fraction)).squareRoot() }

    @Test(arguments: [0.5, 33.3]) func theShareIsWhatWasAskedFor(_ percent: Double) throws {
        let fraction = percent / 100
        for (text, wanted) in [
            ("percent <= \(percent)", fraction), ("percent('seed') <= \(percent)", fraction),
            ("percent > \(percent)", 1 - fraction), ("percent between 0 and \(percent)", fraction),
        ] {
            #expect(abs(Double(try share(text)) - 100_000 * wanted) <= bound(wanted), "\(text)")
        }
    }

    @Test func partsThatTouchShareNobodyAndLeaveNobodyOut() throws {
        let parts = ["percent <= 20", "percent between 20 and 60.5", "percent > 60.5"]
        #expect(try parts.map(share).reduce(0, +) == 100_000)
    }

    @Test func aShareThatGrowsKeepsItsInstallations() throws {
        let (small, large) = (try Condition("percent('s') <= 10"), try Condition("percent('s') <= 20"))
        for id in Self.installations.prefix(20_000) {
            let device = DeviceFacts(installationID: id, appID: "a")
            if small.holds(for: device, nowMicroseconds: 0) { #expect(large.holds(for: device, nowMicroseconds: 1)) }
        }
    }

    @Test func anotherSeedDrawsAnew() throws {
        // Of two independent tenths, a hundredth is in both.
        let both = try share("percent('a') <= 10 && percent('b') <= 10")
        #expect(abs(Double(both) - 1000) <= bound(0.01))
    }

    /// SHA-256 of "seed.some-id" and of "some-id" modulo 100,000,000, computed apart.
    @Test func theBucketIsThatOfTheServerSideSDKs() throws {
        func isIn(_ condition: String) throws -> Bool {
            try Condition(condition).holds(
                for: DeviceFacts(installationID: "some-id", appID: "a"), nowMicroseconds: 0)
        }
        for (call, bucket) in [("percent('seed')", seedBucket), ("percent", plainBucket)] {
            let (below, at) = (Double(bucket - 1) / 1_000_000, Double(bucket) / 1_000_000)
            #expect(try isIn("\(call) <= \(at)"))
            #expect(try !isIn("\(call) <= \(below)"))
            #expect(try isIn("\(call) between \(below) and \(at)"))
        }
    }

    private let seedBucket = 1_418_092
    private let plainBucket = 47_574_220
}

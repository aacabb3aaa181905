import HearthCatalog

/// Versions that do exactly the harm that a guard must not miss.
extension Scenario {
    /// The harms by name; the names are those of earlier measurements.
    static let harms: [(name: String, harm: Harm)] = [
        ("fails on 2 %", Harm(seenBy: .failedRuns, share: 0.02)),
        ("does not load on 2 %", Harm(seenBy: .loadFailures, share: 0.02)),
        ("crashes on 0.5 %", Harm(seenBy: .crashes, share: 0.005)),
        ("30 % slower", Harm(seenBy: .runTime, slower: 1.3)),
        ("returned without it by 1 %", Harm(seenBy: .returnedWithout, share: 0.01)),
    ]

    /// Chance crashes of a device and day.
    static let crashesPerDay = [0.0, 0.0004, 0.001, 0.004, 0.01]

    static let harmful: [Scenario] = {
        var list: [Scenario] = []
        for (name, harm) in harms {
            for chance in crashesPerDay {
                let suffix = chance == 0 ? "" : ", \(percent(chance)) crash by chance a day"
                list.append(
                    Scenario(name + suffix) {
                        $0.harm = harm
                        $0.crashesPerSession = chance / sessionsPerDay
                    })
            }
        }
        return list + circumstances
    }()

    /// Versions that do so much harm that every fleet must find it.
    static let gross: [Scenario] = [
        Scenario("fails on 20 %") { $0.harm = Harm(seenBy: .failedRuns, share: 0.2) },
        Scenario("does not load on 20 %") { $0.harm = Harm(seenBy: .loadFailures, share: 0.2) },
        Scenario("crashes on 20 %") {
            $0.harm = Harm(seenBy: .crashes, share: 0.2)
            $0.crashesPerSession = 0.001
        },
        Scenario("three times as slow") { $0.harm = Harm(seenBy: .runTime, slower: 3) },
        Scenario("returned without it by 20 %") { $0.harm = Harm(seenBy: .returnedWithout, share: 0.2) },
    ]

    private static let circumstances: [Scenario] = {
        let changes: [(name: String, change: @Sendable (inout Scenario) -> Void)] = [
            ("reports a day late", { $0.reportHours = 24 }),
            ("after an hour", { $0.harm?.afterHours = 1 }),
            ("in the second session", { $0.harm?.afterSessions = 1 }),
            ("20 % report", { $0.reporting = 0.22 }),
        ]
        var list: [Scenario] = []
        for change in changes {
            for (name, harm) in harms {
                list.append(
                    Scenario("\(name), \(change.name)") {
                        $0.harm = harm
                        change.change(&$0)
                    })
            }
        }
        let crash = Harm(seenBy: .crashes, share: 0.005)
        return list + [
            Scenario("returned without it by 1 % after use") {
                $0.harm = Harm(seenBy: .returnedWithout, share: 0.01, returnsAfterUse: true)
            },
            Scenario("crashes on 0.5 %, which give it up") {
                $0.harm = Harm(seenBy: .crashes, share: 0.005, givesUp: true)
            },
            Scenario("crashes on 0.5 %, half wait for Wi-Fi, others crash more") {
                $0.harm = crash
                $0.waiting = 0.5
                $0.crashesPerSession = 0.001
                $0.crashesOfOthers = 3
            },
            Scenario("crashes on 0.5 %, all crash half as often from day 2") {
                $0.harm = crash
                $0.crashesPerSession = 0.004
                $0.laterCrashes = 0.5
            },
            Scenario("crashes on 0.5 %, 5 % can take no update and devices short of storage crash more") {
                $0.harm = crash
                $0.cannotUpdate = 0.05
                $0.shortOfStorage = 0.08
                $0.crashesPerSession = 0.002
            },
            Scenario("crashes on 0.5 %, rare callers crash less") {
                $0.harm = crash
                $0.rare = 0.3
                $0.crashesOfRare = 0.2
                $0.crashesPerSession = 0.002
            },
            Scenario("crashes on 0.5 %, watched from 50 % on") {
                $0.harm = crash
                $0.offered = 500_000
                $0.shares = [500_000, 750_000, 1_000_000]
                $0.crashesPerSession = 0.001
            },
            Scenario("30 % slower, app update, runs 25 % faster") {
                $0.harm = Harm(seenBy: .runTime, slower: 1.3)
                $0.appUpdate = 0.75
            },
            Scenario("30 % slower, first runs 30 % slower") {
                $0.harm = Harm(seenBy: .runTime, slower: 1.3)
                $0.slowFirstRun = 1.3
            },
        ]
    }()

    private static func percent(_ share: Double) -> String { "\((share * 10_000).rounded() / 100) %" }
}

import HearthCatalog
import HearthRollouts

/// A rollout that is to be simulated many times: the fleet, and what is true about the version.
struct Scenario: Sendable {
    var name: String
    var devices: Int
    /// Shares of the devices on which the version fails always; on the version below none of these does.
    var bad: [Guard: Double] = [:]
    /// By how much a run takes longer.
    var slower = 1.0
    /// Steps of ten minutes after which a report arrives.
    var reportSteps = 0
    /// Steps after the beginning of a session until a bad device fails.
    var failureSteps = 0
    /// Sessions with the version before a bad device fails.
    var failureSessions = 0
    var holdSeconds: Int64 = 7200
    /// The share of the devices that report.
    var reporting = 1.0

    var isSound: Bool { bad.isEmpty && slower == 1 }

    /// Devices on which each version fails in every second session.
    static let usual: [Guard: Double] = [.loadFailures: 0.001, .failedRuns: 0.001, .crashes: 0.0002]
    /// Downloads that break.
    static let brokenDownloads = 0.02
    /// The deviation of the logarithm of the time of a run, between devices.
    static let timeDeviation = 0.6
    static let sessionsPerDay = 2
    static let shares = [10_000, 50_000, 250_000, 1_000_000]

    static let harms: [(name: String, change: @Sendable (inout Scenario) -> Void)] = [
        ("fails on 2 %", { $0.bad = [.failedRuns: 0.02] }),
        ("does not load on 2 %", { $0.bad = [.loadFailures: 0.02] }),
        ("crashes on 0.5 %", { $0.bad = [.crashes: 0.005] }),
        ("30 % slower", { $0.slower = 1.3 }),
        ("returned without it by 1 %", { $0.bad = [.returnedWithout: 0.01] }),
    ]

    /// - Parameter isLong: whether fleets of a million devices are simulated too.
    static func all(isLong: Bool) -> [Scenario] {
        let fleets = [1000, 10_000, 100_000] + (isLong ? [1_000_000] : [])
        var list = fleets.map { Scenario(name: "sound", devices: $0) }
        for devices in fleets {
            for harm in harms {
                var scenario = Scenario(name: harm.name, devices: devices)
                harm.change(&scenario)
                list.append(scenario)
            }
        }
        let circumstances: [(name: String, change: @Sendable (inout Scenario) -> Void)] = [
            ("a day late", { $0.reportSteps = 144 }),
            (
                "a day late, held for two days",
                { scenario in
                    scenario.reportSteps = 144
                    scenario.holdSeconds = 172_800
                }
            ),
            ("after an hour", { $0.failureSteps = 6 }),
            ("in the second session", { $0.failureSessions = 1 }),
            (
                "in the second session, held for a day",
                { scenario in
                    scenario.failureSessions = 1
                    scenario.holdSeconds = 86_400
                }
            ),
            ("20 % report", { $0.reporting = 0.2 }),
        ]
        for circumstance in circumstances {
            for harm in harms {
                var scenario = Scenario(name: "\(harm.name), \(circumstance.name)", devices: 100_000)
                harm.change(&scenario)
                circumstance.change(&scenario)
                list.append(scenario)
            }
        }
        return list
    }
}

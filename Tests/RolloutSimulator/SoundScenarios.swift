import HearthCatalog

/// Fleets in which the version does what the baseline does, or differs as little as guards must tolerate.
extension Scenario {
    /// Fleets and circumstances that are common.
    static let common: [Scenario] = [
        Scenario("plain"),
        Scenario("no version works on 0.5 %") { $0.noVersionLoads = 0.005 },
        Scenario("no version works on 1 %") { $0.noVersionLoads = 0.01 },
        Scenario("each version crashes on 0.2 %") { $0.everyVersionCrashes = 0.002 },
        Scenario("2 % never take a version") { $0.takesNone = 0.02 },
        Scenario("2 % can take no update") { $0.cannotUpdate = 0.02 },
        Scenario("app update, runs 30 % slower") { $0.appUpdate = 1.3 },
        Scenario("app update, runs 50 % slower") { $0.appUpdate = 1.5 },
        Scenario("first runs 30 % slower") { $0.slowFirstRun = 1.3 },
        Scenario("half wait for Wi-Fi, others crash more") {
            $0.waiting = 0.5
            $0.crashesPerSession = 0.002
            $0.crashesOfOthers = 3
        },
        Scenario("half wait long for Wi-Fi, others crash more") {
            $0.waiting = 0.5
            $0.meetsConditions = 0.03
            $0.crashesPerSession = 0.001
            $0.crashesOfOthers = 5
        },
        Scenario("all crash by chance, 0.4 % a day") { $0.crashesPerSession = 0.002 },
    ]

    /// Fleets and circumstances that are rarer; in smaller fleets only.
    static let rarer: [Scenario] = [
        Scenario("all crash by chance, 1 % a day") {
            $0.crashesPerSession = 0.005
            $0.frailty = 1
        },
        Scenario("first runs 15 % slower") { $0.slowFirstRun = 1.15 },
        Scenario("reports hours late") {
            $0.reportHours = 8
            $0.crashesPerSession = 0.001
        },
        Scenario("crashes double, runs 25 % slower from day 2") {
            $0.crashesPerSession = 0.001
            $0.laterCrashes = 2
            $0.laterTime = 1.25
        },
        Scenario("nights are hot") {
            $0.crashesPerSession = 0.001
            $0.nightCrashes = 4
            $0.nightTime = 1.4
        },
        Scenario("rare callers crash more and run slowly") {
            $0.rare = 0.3
            $0.crashesPerSession = 0.001
        },
        Scenario("rare callers crash less and run fast") {
            $0.rare = 0.3
            $0.crashesPerSession = 0.003
            $0.crashesOfRare = 0.2
            $0.timeOfRare = 0.6
        },
        Scenario("devices short of storage crash more") {
            $0.shortOfStorage = 0.08
            $0.crashesPerSession = 0.002
        },
        Scenario("3 % of the fleet are installed each day") {
            $0.installedPerDay = 0.03
            $0.crashesPerSession = 0.001
            $0.noVersionLoads = 0.005
        },
        Scenario("10 % are versions behind") {
            $0.versionsBehind = 0.1
            $0.takesNone = 0.01
        },
        Scenario("watched from 50 % on") {
            $0.offered = 500_000
            $0.shares = [500_000, 750_000, 1_000_000]
            $0.cannotUpdate = 0.02
            $0.rare = 0.2
            $0.crashesPerSession = 0.001
        },
        Scenario("share lowered and raised") {
            $0.changes = [(0.4, .times(0.4)), (1.0, .times(2)), (2.5, .times(0.5)), (3.2, .times(1.8))]
            $0.crashesPerSession = 0.001
            $0.cannotUpdate = 0.01
        },
        Scenario("paused for a day") {
            $0.changes = [(0.6, .pause), (1.6, .resume)]
            $0.crashesPerSession = 0.001
            $0.cannotUpdate = 0.01
        },
        Scenario("pins and an experiment midway") {
            $0.changes = [(0.5, .leave(0.05)), (1.5, .leave(0.35))]
            $0.crashesPerSession = 0.001
        },
        Scenario("a newer release takes devices") {
            $0.changes = [(0.7, .leave(0.05)), (1.2, .leave(0.25)), (3, .leave(0.6))]
            $0.crashesPerSession = 0.001
            $0.rare = 0.2
        },
        Scenario("two servers") {
            $0.servers = 2
            $0.crashesPerSession = 0.001
            $0.noVersionLoads = 0.005
        },
        Scenario("two servers, pieces are lost") {
            $0.servers = 2
            $0.lostPieces = 0.002
            $0.crashesPerSession = 0.001
            $0.cannotUpdate = 0.01
        },
        Scenario("backups are restored") {
            $0.restored = 0.001
            $0.crashesPerSession = 0.001
        },
        Scenario("backups are restored, most wait for Wi-Fi") {
            $0.restored = 0.002
            $0.waiting = 0.7
            $0.meetsConditions = 0.3
        },
        Scenario("loads and runs fail by chance") {
            $0.failedLoadsPerSession = 0.002
            $0.failedRunsPerSession = 0.004
            $0.noVersionLoads = 0.005
        },
        Scenario("loads and runs fail by chance, half wait for Wi-Fi") {
            $0.failedLoadsPerSession = 0.005
            $0.failedRunsPerSession = 0.001
            $0.waiting = 0.5
            $0.cannotUpdate = 0.02
        },
        Scenario("10 % slower, which is tolerated") { $0.harm = Harm(seenBy: .runTime, slower: 1.1) },
        Scenario("20 % report") {
            $0.reporting = 0.22
            $0.crashesPerSession = 0.001
        },
        Scenario("held for two days, reports late") {
            $0.holdSeconds = 172_800
            $0.reportHours = 12
            $0.crashesPerSession = 0.001
        },
        Scenario("clients that say nothing") {
            $0.newClients = 0
            $0.noVersionLoads = 0.005
            $0.cannotUpdate = 0.01
            $0.shortOfStorage = 0.03
        },
    ]

    /// What shows gross errors in a few small fleets.
    static let extreme: [Scenario] = [
        Scenario("no version works on 10 %") { $0.noVersionLoads = 0.1 },
        Scenario("each version crashes on 10 %") { $0.everyVersionCrashes = 0.1 },
        Scenario("20 % never take a version, 10 % are installed each day") {
            $0.takesNone = 0.2
            $0.installedPerDay = 0.1
        },
        Scenario("app update within two days, runs twice as slow") {
            $0.appUpdate = 2
            $0.appUpdateDays = 0.2...2
        },
        Scenario("most wait for Wi-Fi, others crash 20 times as often") {
            $0.waiting = 0.7
            $0.crashesPerSession = 0.005
            $0.crashesOfOthers = 20
            $0.slowFirstRun = 2
        },
    ]

    static let sound = common + rarer + extreme
}

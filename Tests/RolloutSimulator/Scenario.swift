import HearthCatalog

/// A rollout that is to be simulated many times: the fleet, what happens to it, and what is true about the version.
struct Scenario: Sendable {
    /// What the version does that the baseline does not.
    struct Harm: Sendable {
        /// The guard that should see it.
        var seenBy: Guard
        /// The share of the devices on which the version fails; 0 if runs are slower.
        var share = 0.0
        /// By how much a run takes longer.
        var slower = 1.0
        /// Hours after the beginning of a session until a bad device fails.
        var afterHours = 0.0
        /// Sessions with the version before a bad device fails.
        var afterSessions = 0
        /// Whether a device names the version for a while before it returns.
        var returnsAfterUse = false
        /// Whether a device gives the version up after three crashes.
        var givesUp = false
    }

    /// What the operator does, or what happens around the rollout.
    enum Change: Sendable {
        /// Lowers or raises the share by hand, to this part of the present one.
        case times(Double)
        case pause, resume
        /// This part of the devices is pinned or enters an experiment.
        case leave(Double)
    }

    var name: String
    var harm: Harm?

    // The share of the devices...
    /// on which no version loads; they have remembered that.
    var noVersionLoads = 0.001
    /// on which each version crashes; they have given the baseline up.
    var everyVersionCrashes = 0.0
    /// that never download, and have nothing or an older version.
    var takesNone = 0.0
    /// that never download, and run the baseline.
    var cannotUpdate = 0.0
    /// that have an older version at first.
    var versionsBehind = 0.0
    /// that download only if conditions are met, which is rarely so.
    var waiting = 0.0
    /// that mostly lack storage for a download, and run the baseline meanwhile.
    var shortOfStorage = 0.0
    /// that call rarely.
    var rare = 0.0
    /// that report at all.
    var reporting = 1.0
    /// whose client says what hinders a download.
    var newClients = 0.8
    /// that are installed on each day of the rollout, as a part of the fleet.
    var installedPerDay = 0.0

    /// The chance that a waiting device meets the conditions in a session.
    var meetsConditions = 0.1
    /// How often the devices that need not wait crash, as a multiple of the others.
    var crashesOfOthers = 1.0
    /// The same for devices that are short of storage.
    var crashesShortOfStorage = 5.0
    /// The same for rare callers, and how long their runs take.
    var crashesOfRare = 3.0
    var timeOfRare = 1.5
    /// Days between two calls of a rare caller.
    var rareDays = 4.0

    /// The chance of a crash in each session, with both versions.
    var crashesPerSession = 0.0
    /// The chances that a load or a run fails in a session although the device can, with both versions.
    var failedLoadsPerSession = 0.0
    var failedRunsPerSession = 0.0
    /// The deviation of its logarithm between devices.
    var frailty = 0.0
    /// By how much more devices crash, and how much longer runs take, from a day on; on both versions.
    var laterCrashes = 1.0
    var laterTime = 1.0
    var laterDay = 2.0
    /// An app update that reaches devices evenly between two days; runs take this much longer with it, on both
    /// versions.
    var appUpdate = 1.0
    var appUpdateDays = 1.0...6.0
    /// By how much more devices crash and how much longer runs take at night, as devices heat up while they charge.
    var nightCrashes = 1.0
    var nightTime = 1.0

    /// By how much the first run after an installation takes longer, on both versions.
    var slowFirstRun = 1.0
    /// Mean hours after which a report arrives; 0 for a few minutes.
    var reportHours = 0.0
    /// The chance per call that a device was restored from a backup, and has an older version.
    var restored = 0.0

    var shares = [10_000, 50_000, 250_000, 1_000_000]
    var holdSeconds: Int64 = 7200
    /// The largest share before the watch began.
    var offered = 0
    var changes: [(day: Double, change: Change)] = []
    var servers = 1
    /// The share of the pieces of ten seconds that are lost, of those that a server sends.
    var lostPieces = 0.0

    init(_ name: String, _ change: (inout Scenario) -> Void = { _ in }) {
        self.name = name
        change(&self)
    }

    /// Whether the harm shows later than a device counts as sound.
    var isLate: Bool {
        guard let harm else { return false }
        return reportHours > 0 || harm.afterSessions > 0 || harm.returnsAfterUse
            || Int64(harm.afterHours * 3600) >= holdSeconds
    }

    static let brokenDownloads = 0.02
    static let sessionsPerDay = 2.0
    /// The deviation of the logarithm of the time of a run, between devices and between runs of a device.
    static let timeDeviation = 0.6
    static let timeNoise = 0.2
    /// Shares of the devices on which each version crashes, or does not load or gives no result, in every second
    /// session.
    static let usualCrashes = 0.0002
    static let usualFailures = 0.001
}

/// What a device has learned about a version of a model, from the marks that earlier processes left. Pure.
///
/// A version is on trial from its install until it has given results. A death without a fatal signal counts only on trial,
/// because it may have any cause. A fatal signal in a thread that loads or runs the version always counts.
struct TrialRecord: Codable, Sendable, Equatable {
    /// This many processes in a row that died before a first result reject the version.
    static let deathLimit = 3
    /// The trial ends after this many successful runs in at least `processLimit` processes,
    static let runLimit = 3
    static let processLimit = 2
    /// or after this many in all.
    static let longRunLimit = 100
    /// After a first crash, the version must give this many results without a second one. The number doubles with each
    /// crash.
    static let runsAfterCrash = 1000

    /// The successful runs on trial, and the processes that had some.
    private(set) var runs = 0
    private(set) var processes = 0
    private(set) var isTrialEnded = false
    /// The processes in a row that died before a first result.
    private(set) var deaths = 0
    /// The successful runs of living processes when the last death was counted.
    private var livingRuns = 0
    /// All fatal signals.
    private(set) var crashes = 0
    /// The successful runs since the last crash; nil when that crash is forgiven, or there was none.
    private(set) var runsSinceCrash: Int?

    /// How a process that used the version ended.
    struct Life: Sendable, Equatable {
        /// The runs that gave a result, as far as they were recorded.
        var successes = 0
        /// Whether a thread loaded or ran the version at the end.
        var isRunning = false
        /// The fatal signal of a thread that loaded or ran the version.
        var crashSignal: Int32?
        /// Whether the process ended for a reason that says nothing about the version.
        var isOrderly = false

        /// Whether the end counts as the version's fault while it is on trial.
        var isDeath: Bool { crashSignal != nil || (isRunning && !isOrderly) }
    }

    /// How many successful runs of a new process must be recorded: those until the trial ends or a crash is forgiven.
    var recordedRuns: Int {
        let onTrial = isTrialEnded ? 0 : Self.longRunLimit - runs
        let afterCrash = runsSinceCrash.map { span - $0 } ?? 0
        return max(onTrial, afterCrash, 0)
    }

    /// How many runs must succeed before the last crash is forgiven.
    private var span: Int { Self.runsAfterCrash << min(max(crashes - 1, 0), 20) }

    /// Adds the end of a process.
    ///
    /// - Parameter living: The successful runs of the version in processes that still live.
    /// - Returns: Why the version must be rejected; nil when it need not be.
    mutating func add(_ life: Life, living: Int = 0) -> Rejection? {
        let successes = max(0, life.successes)
        let isSecondCrash = life.crashSignal != nil && runsSinceCrash.map { $0 + successes < span } ?? false
        if life.crashSignal != nil {
            crashes += 1
            runsSinceCrash = 0
        } else if let since = runsSinceCrash {
            runsSinceCrash = since + successes < span ? since + successes : nil
        }
        if !isTrialEnded { addToTrial(life, successes, living) }
        if isSecondCrash { return .crashes }
        return deaths >= Self.deathLimit ? .deaths : nil
    }

    private mutating func addToTrial(_ life: Life, _ successes: Int, _ living: Int) {
        if successes > 0 {
            runs += successes
            processes += 1
            deaths = 0
        }
        // What works in another process meanwhile is a success in between.
        if living > livingRuns { deaths = 0 }
        livingRuns = living
        isTrialEnded = runs >= Self.runLimit && processes >= Self.processLimit || runs + living >= Self.longRunLimit
        if isTrialEnded { deaths = 0 }
        if life.isDeath, successes == 0, !isTrialEnded { deaths += 1 }
    }
}

/// Why a version must be rejected.
package enum Rejection: Sendable, Equatable {
    /// Fatal signals that follow each other too closely.
    case crashes
    /// Processes in a row that died before a first result.
    case deaths

    /// A sentence.
    package var reason: String {
        switch self {
        case .crashes: "This version crashed the app more than once while it was loaded or run."
        case .deaths:
            "The app ended \(TrialRecord.deathLimit) times in a row while this version was loaded or run for the first time."
        }
    }
}

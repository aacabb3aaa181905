import HearthCatalog
import HearthRollouts

/// What became of one rollout; written as one line of JSON.
struct RolloutOutcome: Codable, Sendable {
    var scenario: String
    var devices: Int
    var number: Int
    /// The guard that would have stopped the rollout first, and after how many days.
    var stoppedBy: Guard?
    var stoppedDays: Double?
    /// Devices that had the version until then, or until the end.
    var reached = 0
    /// After how many days the plan was at 100 %; nil if it was not.
    var days: Double?
    /// Whether the guard that should see the harm called itself satisfied when the plan reached 100 %.
    var arrivedSatisfied = false
    /// Largest logarithms of evidence by guard, in the order of `Guard.allCases`: that the version is worse than the
    /// baseline, that it is worse than that and than tolerated, and that it does less than the harm that matters.
    var difference = [0.0, 0.0, 0.0, 0.0, 0.0]
    var excess = [0.0, 0.0, 0.0, 0.0, 0.0]
    var againstHarm = [0.0, 0.0, 0.0, 0.0, 0.0]
    /// Whether the guard was ever satisfied.
    var satisfied = [false, false, false, false, false]
    /// Devices that take part at the end, with the version and on the baseline.
    var takingPart = [0, 0]

    init(scenario: String, devices: Int, number: Int) {
        self.scenario = scenario
        self.devices = devices
        self.number = number
    }

    /// - Returns: whether a guard may be violated.
    mutating func record(_ watch: RolloutWatch) -> Bool {
        var most = watch.time.logEvidenceOfExcess
        let time = watch.rates.count
        excess[time] = max(excess[time], most)
        difference[time] = excess[time]
        againstHarm[time] = max(againstHarm[time], watch.time.logEvidenceAgainstHarm)
        for (index, test) in watch.rates.enumerated() {
            let worse = test.logEvidenceOfDifference
            let both = min(worse, test.logEvidenceOfExcess)
            difference[index] = max(difference[index], worse)
            excess[index] = max(excess[index], both)
            most = max(most, both)
        }
        return most > 4
    }

    mutating func record(_ survey: RolloutWatch.Survey, _ found: [GuardFinding]) {
        for finding in found {
            guard let index = Guard.allCases.firstIndex(of: finding.guarded) else { continue }
            if index < Guard.rates.count {
                againstHarm[index] = max(againstHarm[index], finding.logEvidenceAgainstHarm)
            }
            if finding.verdict == .satisfied { satisfied[index] = true }
        }
        takingPart = survey.devices
    }

    mutating func recordStop(_ guarded: Guard, _ days: Double) {
        guard stoppedBy == nil else { return }
        stoppedBy = guarded
        stoppedDays = days
    }

    mutating func recordArrival(_ found: [GuardFinding], of guarded: Guard?, _ days: Double) {
        self.days = days
        arrivedSatisfied = found.contains { $0.guarded == guarded && $0.verdict == .satisfied }
    }
}

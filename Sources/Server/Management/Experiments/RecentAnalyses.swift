import HearthCalls
import HearthConcurrency
import HearthExperiments
import HearthRouting

/// What the last analysis of a running experiment said.
struct LastVerdict: Sendable {
    let verdict: ExperimentVerdict
    /// Whether any installation has reported that it takes part.
    let hasExposures: Bool
    let hasSampleRatioMismatch: Bool
    /// Whether there are too few data for any verdict about the goal.
    let isTooEarly: Bool
    let atMicroseconds: Int64
}

/// A started experiment. Another one of the same name, which started at another time, is another one.
struct ExperimentKey: Hashable, Sendable {
    let project: String
    let name: String
    let startedMicroseconds: Int64?

    init(_ experiment: Experiment) {
        project = experiment.projectID
        name = experiment.name
        startedMicroseconds = experiment.startedMicroseconds
    }
}

/// What the last analyses of experiments said. An analysis adds up a row per installation, so whoever only lists experiments,
/// or is content with a somewhat older result, looks here. Safe to use from any thread.
final class RecentAnalyses: Sendable {
    private typealias Key = ExperimentKey

    /// Of experiments that have started.
    let results = RecentValues<ExperimentKey, ExperimentBodies.Results>(limit: 1000)
    private let verdicts = Lock<[Key: LastVerdict]>([:])

    /// Of a running experiment; nil before its first analysis by this process.
    func verdict(of experiment: Experiment) -> LastVerdict? { verdicts.withLock { $0[Key(experiment)] } }

    func setVerdict(_ verdict: LastVerdict, of experiment: Experiment) {
        verdicts.withLock { $0[Key(experiment)] = verdict }
    }

    /// Forgets the verdicts of all others.
    func keepVerdicts(only experiments: [Experiment]) {
        let keys = Set(experiments.map(Key.init))
        verdicts.withLock { verdicts in verdicts = verdicts.filter { keys.contains($0.key) } }
    }
}

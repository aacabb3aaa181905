import HearthExperiments
import HearthStorage

/// Analyses the running experiments and stops those that are decided.
///
/// It may do so at any time and any number of times, because the verdict comes from an always-valid test. One thread at
/// a time.
struct ExperimentMonitor: Sendable {
    private let context: RouteContext
    private let editing: ExperimentEditing

    init(_ context: RouteContext) {
        self.context = context
        editing = ExperimentEditing(context: context)
    }

    /// - Returns: one line for each experiment that it stopped or could not analyse.
    func endDecided() throws -> [String] {
        let running = try context.serving.current().projects.values.flatMap(\.experiments.all).map(\.experiment)
        return running.sorted { ($0.projectID, $0.name) < ($1.projectID, $1.name) }.compactMap { experiment in
            let name = "experiment '\(experiment.name)' of '\(experiment.projectID)'"
            do {
                return try end(experiment).map { "\(name) ended: \($0)" }
            } catch {
                // The harm of other experiments must still be stopped.
                return "\(name) cannot be analysed: \(error)"
            }
        }
    }

    /// Why it was stopped; nil if it continues.
    private func end(_ experiment: Experiment) throws -> String? {
        let data = try context.services.metadata.read { try ExperimentCounts.data(experiment, $0) }
        let verdict = ExperimentAnalysis(experiment).verdict(data)
        switch verdict {
        case .undecided: return nil
        case .winner where !experiment.stopsAtWinner: return nil
        case .winner, .harm: break
        }
        return try editing.stop(experiment, verdict) ? ExperimentResults.finding(verdict, experiment) : nil
    }
}

import HearthExperiments
import HearthStorage

/// Looks at the running experiments, and ends those that are over by themselves.
///
/// It may look as often as it likes: what it decides by is an always-valid test. One thread at a time.
struct ExperimentWatch: Sendable {
    private let context: RouteContext
    private let editing: ExperimentEditing

    init(_ context: RouteContext) {
        self.context = context
        editing = ExperimentEditing(context: context)
    }

    /// - Returns: one line for each that was ended.
    func look() throws -> [String] {
        let running = try context.serving.current().projects.values.flatMap(\.experiments.all).map(\.experiment)
        return try running.sorted { ($0.projectID, $0.name) < ($1.projectID, $1.name) }.compactMap {
            experiment -> String? in
            let data = try context.services.metadata.read { try ExperimentFigures.data(experiment, $0) }
            let verdict = ExperimentAnalysis(experiment).verdict(data)
            switch verdict {
            case .goOn: return nil
            case .winner where !experiment.stopsAtWinner: return nil
            case .winner, .harm: break
            }
            try editing.stop(experiment, verdict)
            return "experiment '\(experiment.name)' of '\(experiment.projectID)' ended: "
                + ExperimentResults.sentence(verdict, experiment)
        }
    }
}

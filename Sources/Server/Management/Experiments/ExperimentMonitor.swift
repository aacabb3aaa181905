import HearthCatalog
import HearthExperiments
import HearthRouting
import HearthServing
import HearthStorage

/// Analyses the running experiments, stops those that are decided, and adds to their history. Of several servers one
/// stops and adds, and the others only learn the verdicts, which their lists show.
///
/// It may do so at any time and any number of times, because the verdict comes from an always-valid test. One thread at
/// a time.
struct ExperimentMonitor: Sendable {
    private let context: RouteContext
    private let metadata: any MetadataStore
    private let analyses: RecentAnalyses
    private let editing: ExperimentEditing

    init(_ context: RouteContext, _ metadata: any MetadataStore, _ analyses: RecentAnalyses) {
        self.context = context
        self.metadata = metadata
        self.analyses = analyses
        editing = ExperimentEditing(context: context)
    }

    /// - Returns: one line for each experiment that it stopped or could not analyse.
    func endDecided() throws -> [String] {
        let running = try context.serving.current().projects.values.flatMap(\.experiments.all).map(\.experiment)
        analyses.keepVerdicts(only: running)
        let isDecider = metadata.coordination.holds(.experiments)
        return running.sorted { ($0.projectID, $0.name) < ($1.projectID, $1.name) }.compactMap { experiment in
            let name = "experiment '\(experiment.name)' of '\(experiment.projectID)'"
            do {
                return try end(experiment, isDecider: isDecider).map { "\(name) ended: \($0)" }
            } catch {
                // The harm of other experiments must still be stopped.
                return "\(name) cannot be analysed: \(error)"
            }
        }
    }

    /// Why it was stopped; nil if it continues.
    private func end(_ experiment: Experiment, isDecider: Bool) throws -> String? {
        let (record, data, times) = try metadata.read { store in
            (
                try store.experiment(experiment.name, project: experiment.projectID),
                try ExperimentCounts.data(experiment, store),
                try store.pointTimes(experiment: experiment.name, project: experiment.projectID)
            )
        }
        let analysis = ExperimentAnalysis(experiment)
        let verdict = analysis.verdict(data)
        analyses.setVerdict(
            LastVerdict(
                verdict: verdict, hasExposures: data.exposures.contains { $0 > 0 },
                hasSampleRatioMismatch: analysis.hasSampleRatioMismatch(data),
                isTooEarly: analysis.isTooEarly(data),
                atMicroseconds: context.nowMicroseconds), of: experiment)
        if let record {
            analyses.results.set(
                ExperimentResults.body(record, experiment, data), of: ExperimentKey(experiment),
                atMicroseconds: context.nowMicroseconds)
        }
        guard isDecider else { return nil }
        let reason = try stop(experiment, verdict)
        // The point at which it was decided is the one that readers look for.
        try addPoint(experiment, data, times, isLast: reason != nil)
        return reason
    }

    private func stop(_ experiment: Experiment, _ verdict: ExperimentVerdict) throws -> String? {
        switch verdict {
        case .undecided: return nil
        case .winner where !experiment.stopsAtWinner: return nil
        case .winner, .harm: break
        }
        return try editing.stop(experiment, verdict, in: metadata)
            ? ExperimentResults.finding(verdict, experiment) : nil
    }

    private func addPoint(
        _ experiment: Experiment, _ data: ExperimentData, _ times: [Int64], isLast: Bool
    ) throws {
        let now = context.nowMicroseconds
        let start = experiment.startedMicroseconds ?? now
        guard data.exposures.contains(where: { $0 > 0 }),
            isLast
                || HistorySchedule.isDue(
                    lastMicroseconds: times.last, startMicroseconds: start, nowMicroseconds: now)
        else { return }
        let point = ExperimentPoint(
            projectID: experiment.projectID, experiment: experiment.name, atMicroseconds: now,
            variants: zip(data.exposures, ExperimentAnalysis(experiment).goalComparisons(data)).map {
                ExperimentPoint.Variant(
                    exposures: $0, value: $1.value, difference: $1.difference, interval: $1.interval,
                    pValue: $1.pValue)
            })
        let surplus = HistorySchedule.surplus(times + (times.last == now ? [] : [now]))
        try metadata.write { store in
            // It may have been deleted meanwhile.
            guard try store.experiment(experiment.name, project: experiment.projectID) != nil else { return }
            try store.put(point)
            try store.deletePoints(experiment: experiment.name, project: experiment.projectID, times: surplus)
        }
    }
}

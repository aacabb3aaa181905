import HearthCalls
import HearthCatalog
import HearthExperiments
import HearthWire

/// How the parts of an overview look on the wire.
enum OverviewPresentation {
    static func stopped(_ ended: EndedRelease) -> OverviewBodies.StoppedRelease {
        let release = ended.release
        // A guard may have paused it before a person ended it.
        let stop = release.guarding?.stop.flatMap { $0.atMicroseconds == release.endedMicroseconds ? $0 : nil }
        let change =
            switch ended.action {
            case "release.rollback": "rolled back"
            case "model.unpublish": "unpublished"
            default: "ended"
            }
        return OverviewBodies.StoppedRelease(
            model: String(release.modelID), displayName: ended.displayName, release: release.number,
            version: release.version, endTime: WireTime.text(release.endedMicroseconds ?? 0),
            guardName: stop?.guarded.rawValue, reason: stop?.reason ?? "\(change) by \(ended.actor)")
    }

    static func experiment(_ experiment: Experiment, _ last: LastVerdict?) -> OverviewBodies.Experiment {
        let isRunning = experiment.state == .running
        let verdict =
            isRunning
            ? last.map { ExperimentResults.name(of: $0.verdict) }
            : EndVerdict(experiment)?.kind
        return OverviewBodies.Experiment(
            name: experiment.name, state: experiment.state.rawValue,
            startTime: experiment.startedMicroseconds.map(WireTime.text),
            endTime: experiment.endedMicroseconds.map(WireTime.text), verdict: verdict, winner: experiment.winner,
            summary: isRunning ? summary(experiment, last) : experiment.endReason ?? "ended",
            analysisTime: isRunning ? last.map { WireTime.text($0.atMicroseconds) } : nil)
    }

    private static func summary(_ experiment: Experiment, _ last: LastVerdict?) -> String {
        last.map {
            ExperimentResults.summary(
                $0.verdict, hasExposures: $0.hasExposures, hasSampleRatioMismatch: $0.hasSampleRatioMismatch,
                isTooEarly: $0.isTooEarly, experiment)
        } ?? "Not analysed yet since the server started; the results call analyses it now."
    }

    static func failed(_ version: HeldVersion, _ kind: String, _ reason: String) -> OverviewBodies.FailedVersion {
        OverviewBodies.FailedVersion(
            model: String(version.modelID), displayName: version.displayName, version: version.version,
            createTime: WireTime.text(version.createdMicroseconds), kind: kind, reason: reason)
    }

    /// Nil if the rehearsal shows what the model requires, or cannot be read.
    static func failed(_ gated: GatedVersion) -> OverviewBodies.FailedVersion? {
        guard let gate = try? RehearsalGate(gated.gate),
            let summary = try? WireJSON.decode(RehearsalBodies.Summary.self, from: gated.summaryJSON.utf8),
            let problem = gate.problem(of: summary)
        else { return nil }
        return failed(gated.version, "rehearsal", problem)
    }

    static func pending(_ file: PendingFile) -> OverviewBodies.PendingValidation {
        OverviewBodies.PendingValidation(
            modelHash: file.sha256, requestTime: WireTime.text(file.requestedMicroseconds), note: file.note,
            model: (file.version?.modelID).map { String($0) }, displayName: file.version?.displayName,
            version: file.version?.version)
    }
}

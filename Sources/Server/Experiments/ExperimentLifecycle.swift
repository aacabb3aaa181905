package import HearthCatalog

/// The transitions of an experiment from draft to running to its end. Pure functions: the caller stores their results.
package enum ExperimentLifecycle {
    /// Starts a draft. Its definition is fixed from then on, because all of it affects which installations get which
    /// variant.
    package static func start(
        _ experiment: Experiment, beside others: [Experiment], nowMicroseconds: Int64
    ) throws(CatalogError) -> Experiment {
        guard experiment.state == .draft else { throw failed("'\(experiment.name)' was started before.") }
        try ExperimentValidator.check(experiment)
        guard let slots = experiment.slotsToStart(beside: others) else {
            let names = others.filter { $0.state == .running && experiment.overlaps($0) }.map { "'\($0.name)'" }
            throw failed(
                "Too few installations are left: \(names.joined(separator: ", ")) must share none with "
                    + "'\(experiment.name)'. Give it a smaller share, or stop one of them.")
        }
        var started = experiment
        started.state = .running
        started.slots = slots
        started.startedMicroseconds = nowMicroseconds
        return started
    }

    /// - Parameters:
    ///   - winner: the winning variant, if there is one.
    ///   - verdict: `goOn`, `winner` or `harm`, if it is known.
    ///   - finding: the verdict in words, if it is known.
    package static func stop(
        _ experiment: Experiment, winner: String? = nil, reason: String? = nil, verdict: String? = nil,
        finding: String? = nil, nowMicroseconds: Int64
    ) throws(CatalogError) -> Experiment {
        guard experiment.state == .running else { throw failed("'\(experiment.name)' is not running.") }
        if let winner { try checkVariant(winner, of: experiment) }
        var stopped = experiment
        stopped.state = .stopped
        stopped.endedMicroseconds = nowMicroseconds
        stopped.winner = winner
        stopped.endReason = reason
        stopped.endVerdict = verdict
        stopped.endFinding = finding
        return stopped
    }

    /// Gives the variant to all installations. The caller changes the templates and releases accordingly.
    package static func rollOut(
        _ experiment: Experiment, variant: String, nowMicroseconds: Int64
    ) throws(CatalogError) -> Experiment {
        try checkVariant(variant, of: experiment)
        guard experiment.state == .running || experiment.state == .stopped else {
            throw failed(
                "'\(experiment.name)' is \(experiment.state == .draft ? "not started" : "rolled out already").")
        }
        var ended = experiment
        ended.state = .rolledOut
        ended.winner = variant
        ended.endedMicroseconds = experiment.endedMicroseconds ?? nowMicroseconds
        return ended
    }

    private static func checkVariant(_ name: String, of experiment: Experiment) throws(CatalogError) {
        guard experiment.variants.contains(where: { $0.name == name }) else {
            let names = experiment.variants.map(\.name).joined(separator: ", ")
            throw CatalogError(.invalidArgument, "'\(experiment.name)' has no variant '\(name)'; it has \(names).")
        }
    }

    private static func failed(_ message: String) -> CatalogError { CatalogError(.failedPrecondition, message) }
}

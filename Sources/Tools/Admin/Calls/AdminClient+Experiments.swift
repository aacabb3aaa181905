public import HearthCalls
import HearthTransport
public import HearthWire

/// Experiments of a project, and the events that measure them.
extension AdminClient {
    /// The project's experiments, newest first.
    ///
    /// - Throws: ``AdminError``.
    public func experiments() throws(AdminError) -> [ExperimentBodies.Experiment] {
        try call(ExperimentCalls.list, project()).experiments ?? []
    }

    /// The experiment with this name.
    ///
    /// - Throws: ``AdminError``.
    public func experiment(_ name: String) throws(AdminError) -> ExperimentBodies.Experiment {
        try call(ExperimentCalls.get, project(), name)
    }

    /// Makes an experiment, without starting it.
    ///
    /// - Throws: ``AdminError``.
    public func createExperiment(
        _ definition: ExperimentBodies.Definition
    ) throws(AdminError) -> ExperimentBodies.Experiment {
        try call(ExperimentCalls.create, project(), body: definition)
    }

    /// Makes an experiment from a definition in JSON, without starting it.
    ///
    /// - Parameter json: an `ExperimentBodies.Definition` as its author wrote it: the server refuses unknown keys,
    ///   which would get lost here by decoding and encoding.
    /// - Throws: ``AdminError``.
    public func createExperiment(json: [UInt8]) throws(AdminError) -> ExperimentBodies.Experiment {
        var request = try AdminRequest(ExperimentCalls.create, [project()])
        request.body = .bytes(json)
        return try answer(to: request)
    }

    /// Replaces the definition of an experiment that has not started.
    ///
    /// - Throws: ``AdminError``.
    public func replaceExperiment(
        _ name: String, _ definition: ExperimentBodies.Definition
    ) throws(AdminError) -> ExperimentBodies.Experiment {
        try call(ExperimentCalls.replace, project(), name, body: definition)
    }

    /// Replaces the definition with one in JSON, as in `createExperiment(json:)`.
    ///
    /// - Throws: ``AdminError``.
    public func replaceExperiment(_ name: String, json: [UInt8]) throws(AdminError) -> ExperimentBodies.Experiment {
        var request = try AdminRequest(ExperimentCalls.replace, [project(), name])
        request.body = .bytes(json)
        return try answer(to: request)
    }

    /// Starts an experiment.
    ///
    /// - Parameters:
    ///   - allowContractChange: whether a version's contract may differ, although its model refuses that.
    ///   - allowCrashing: whether a version may have crashed the engine when the server ran it.
    ///   - allowFailedRehearsal: whether a version's rehearsal may be missing or show less than its model requires.
    /// - Throws: ``AdminError``.
    public func startExperiment(
        _ name: String, allowContractChange: Bool = false, allowCrashing: Bool = false,
        allowFailedRehearsal: Bool = false
    ) throws(AdminError) -> ExperimentBodies.Experiment {
        let body = ExperimentBodies.StartRequest(
            allowContractChange: allowContractChange ? true : nil, allowCrashing: allowCrashing ? true : nil,
            allowFailedRehearsal: allowFailedRehearsal ? true : nil)
        return try call(ExperimentCalls.start, project(), name, body: body)
    }

    /// Stops an experiment for good, without a rollout.
    ///
    /// - Parameter winner: the variant to record as the winner.
    /// - Throws: ``AdminError``.
    public func stopExperiment(_ name: String, winner: String?) throws(AdminError) -> ExperimentBodies.Experiment {
        let body = ExperimentBodies.StopRequest(winner: winner)
        return try call(ExperimentCalls.stop, project(), name, body: body)
    }

    /// Gives a variant to all devices of the experiment's audience, and ends the experiment.
    ///
    /// - Parameters:
    ///   - allowContractChange: whether the version's contract may differ, although its model refuses that.
    ///   - allowCrashing: whether the version may have crashed the engine when the server ran it.
    ///   - allowFailedRehearsal: whether the version's rehearsal may be missing or show less than its model requires.
    /// - Throws: ``AdminError``.
    public func rollOutExperiment(
        _ name: String, variant: String, allowContractChange: Bool = false, allowCrashing: Bool = false,
        allowFailedRehearsal: Bool = false
    ) throws(AdminError) -> ExperimentBodies.Experiment {
        let body = ExperimentBodies.RollOutRequest(
            variant: variant, allowContractChange: allowContractChange ? true : nil,
            allowCrashing: allowCrashing ? true : nil, allowFailedRehearsal: allowFailedRehearsal ? true : nil)
        return try call(ExperimentCalls.rollOut, project(), name, body: body)
    }

    /// Deletes an experiment that is not running, with its results.
    ///
    /// - Throws: ``AdminError``.
    public func deleteExperiment(_ name: String) throws(AdminError) {
        try perform(ExperimentCalls.delete, project(), name)
    }

    /// The results of an experiment so far.
    ///
    /// - Throws: ``AdminError``.
    public func experimentResults(_ name: String) throws(AdminError) -> ExperimentBodies.Results {
        try call(ExperimentCalls.results, project(), name)
    }

    /// How the goal of an experiment moved over time.
    ///
    /// - Throws: ``AdminError``.
    public func experimentHistory(_ name: String) throws(AdminError) -> ExperimentBodies.History {
        try call(ExperimentCalls.history, project(), name)
    }

    /// A row for each exposed installation, as CSV.
    ///
    /// - Parameter onPiece: receives the bytes piece by piece, the names of the columns first, on this thread.
    /// - Throws: ``AdminError``.
    public func experimentData(_ name: String, onPiece: ([UInt8]) -> Void) throws(AdminError) {
        var token: String?
        repeat {
            let response = try response(
                AdminRequest(ExperimentCalls.data, [project(), name], query: [("pageToken", token)]))
            guard response.status == 200 else { throw AdminError(response) }
            onPiece(response.body)
            token = response.headers["X-Hearth-Next-Page-Token"]
        } while token != nil
    }

    /// How many events devices reported in the last days: the newest day first, then by name.
    ///
    /// - Throws: ``AdminError``.
    public func eventSummary() throws(AdminError) -> [EventBodies.Summary.Row] {
        try call(ExperimentCalls.events, project()).events ?? []
    }
}

import HearthTransport
public import HearthWire

/// Experiments of a project, and the events that they are measured by.
extension AdminClient {
    /// The project's experiments, newest first.
    ///
    /// - Throws: ``AdminError``.
    public func experiments() throws(AdminError) -> [ExperimentBodies.Experiment] {
        try call(ExperimentBodies.List.self, .get(projectPath("experiments"))).experiments ?? []
    }

    /// The experiment with this name.
    ///
    /// - Throws: ``AdminError``.
    public func experiment(_ name: String) throws(AdminError) -> ExperimentBodies.Experiment {
        try call(.get(experimentPath(name)))
    }

    /// Makes an experiment, and does not start it.
    ///
    /// - Throws: ``AdminError``.
    public func createExperiment(
        _ definition: ExperimentBodies.Definition
    ) throws(AdminError) -> ExperimentBodies.Experiment {
        try call(.change("POST", projectPath("experiments"), body: definition))
    }

    /// The same of a definition in JSON.
    ///
    /// - Parameter json: an `ExperimentBodies.Definition` as its author wrote it: the server refuses keys that
    ///   it does not know, and reading and writing them here would lose them.
    /// - Throws: ``AdminError``.
    public func createExperiment(json: [UInt8]) throws(AdminError) -> ExperimentBodies.Experiment {
        var request = try AdminRequest.change("POST", projectPath("experiments"))
        request.body = .bytes(json)
        return try call(request)
    }

    /// Replaces the definition of an experiment that has not started.
    ///
    /// - Throws: ``AdminError``.
    public func replaceExperiment(
        _ name: String, _ definition: ExperimentBodies.Definition
    ) throws(AdminError) -> ExperimentBodies.Experiment {
        try call(.change("PUT", experimentPath(name), body: definition))
    }

    /// The same of a definition in JSON, as in `createExperiment(json:)`.
    ///
    /// - Throws: ``AdminError``.
    public func replaceExperiment(_ name: String, json: [UInt8]) throws(AdminError) -> ExperimentBodies.Experiment {
        var request = try AdminRequest.change("PUT", experimentPath(name))
        request.body = .bytes(json)
        return try call(request)
    }

    /// Starts an experiment.
    ///
    /// - Parameters:
    ///   - allowContractChange: also where a version's contract differs and its model refuses that.
    ///   - allowCrashing: also where a version crashed the engine when the server ran it.
    /// - Throws: ``AdminError``.
    public func startExperiment(
        _ name: String, allowContractChange: Bool = false, allowCrashing: Bool = false
    ) throws(AdminError) -> ExperimentBodies.Experiment {
        let body = ExperimentBodies.StartRequest(
            allowContractChange: allowContractChange ? true : nil, allowCrashing: allowCrashing ? true : nil)
        return try call(.change("POST", experimentPath(name) + ":start", body: body))
    }

    /// Ends an experiment for good, and rolls out nothing.
    ///
    /// - Parameter winner: the variant to note as the winner.
    /// - Throws: ``AdminError``.
    public func stopExperiment(_ name: String, winner: String?) throws(AdminError) -> ExperimentBodies.Experiment {
        let body = ExperimentBodies.StopRequest(winner: winner)
        return try call(.change("POST", experimentPath(name) + ":stop", body: body))
    }

    /// Gives a variant to all devices of the experiment's audience, and ends the experiment.
    ///
    /// - Parameters:
    ///   - allowContractChange: also where the version's contract differs and its model refuses that.
    ///   - allowCrashing: also where the version crashed the engine when the server ran it.
    /// - Throws: ``AdminError``.
    public func rollOutExperiment(
        _ name: String, variant: String, allowContractChange: Bool = false, allowCrashing: Bool = false
    ) throws(AdminError) -> ExperimentBodies.Experiment {
        let body = ExperimentBodies.RollOutRequest(
            variant: variant, allowContractChange: allowContractChange ? true : nil,
            allowCrashing: allowCrashing ? true : nil)
        return try call(.change("POST", experimentPath(name) + ":rollOut", body: body))
    }

    /// Deletes an experiment that is not running, with its results.
    ///
    /// - Throws: ``AdminError``.
    public func deleteExperiment(_ name: String) throws(AdminError) {
        try perform(.change("DELETE", experimentPath(name)))
    }

    /// What an experiment has found up to now.
    ///
    /// - Throws: ``AdminError``.
    public func experimentResults(_ name: String) throws(AdminError) -> ExperimentBodies.Results {
        try call(.get(experimentPath(name) + "/results"))
    }

    /// A row for each installation that took part, as CSV.
    ///
    /// - Parameter onPiece: receives the bytes piece by piece, the names of the columns first, on this thread.
    /// - Throws: ``AdminError``.
    public func experimentData(_ name: String, onPiece: ([UInt8]) -> Void) throws(AdminError) {
        var token: String?
        repeat {
            let response = try response(.get(experimentPath(name) + "/data", query: [("pageToken", token)]))
            guard response.status == 200 else { throw AdminError(response) }
            onPiece(response.body)
            token = response.headers["X-Hearth-Next-Page-Token"]
        } while token != nil
    }

    /// How many events devices have reported of late: the newest day first, then by name.
    ///
    /// - Throws: ``AdminError``.
    public func eventSummary() throws(AdminError) -> [EventBodies.Summary.Row] {
        try call(EventBodies.Summary.self, .get(projectPath("events"))).events ?? []
    }

    private func experimentPath(_ name: String) throws(AdminError) -> String { try projectPath("experiments", name) }
}

import HearthTransport
import HearthWire

/// Experiments of a project, and the events that they are measured by.
extension AdminClient {
    /// Newest first.
    func experiments() throws -> [ExperimentBodies.Experiment] {
        try call(ExperimentBodies.List.self, .get(experimentPath())).experiments ?? []
    }

    func experiment(_ name: String) throws -> ExperimentBodies.Experiment { try call(.get(experimentPath(name))) }

    /// - Parameter definition: an `ExperimentBodies.Definition` in JSON, as its author wrote it: the server refuses keys
    ///   that it does not know, which reading and writing it here would lose.
    func createExperiment(_ definition: [UInt8]) throws -> ExperimentBodies.Experiment {
        var request = try AdminRequest.change("POST", experimentPath())
        request.body = .bytes(definition)
        return try call(request)
    }

    /// The same for one that has not started.
    func replaceExperiment(_ name: String, _ definition: [UInt8]) throws -> ExperimentBodies.Experiment {
        var request = try AdminRequest.change("PUT", experimentPath(name))
        request.body = .bytes(definition)
        return try call(request)
    }

    func startExperiment(
        _ name: String, allowContractChange: Bool = false, allowCrashing: Bool = false
    ) throws -> ExperimentBodies.Experiment {
        try call(
            .change(
                "POST", experimentPath(name) + ":start",
                body: ExperimentBodies.StartRequest(
                    allowContractChange: allowContractChange ? true : nil,
                    allowCrashing: allowCrashing ? true : nil)))
    }

    func stopExperiment(_ name: String, winner: String?) throws -> ExperimentBodies.Experiment {
        try call(
            .change("POST", experimentPath(name) + ":stop", body: ExperimentBodies.StopRequest(winner: winner)))
    }

    func rollOutExperiment(
        _ name: String, variant: String, allowContractChange: Bool = false, allowCrashing: Bool = false
    ) throws -> ExperimentBodies.Experiment {
        try call(
            .change(
                "POST", experimentPath(name) + ":rollOut",
                body: ExperimentBodies.RollOutRequest(
                    variant: variant, allowContractChange: allowContractChange ? true : nil,
                    allowCrashing: allowCrashing ? true : nil)))
    }

    func deleteExperiment(_ name: String) throws { try perform(.change("DELETE", experimentPath(name))) }

    func experimentResults(_ name: String) throws -> ExperimentBodies.Results {
        try call(.get(experimentPath(name) + "/results"))
    }

    /// A row for each installation that took part, as CSV: piece by piece, the names of the columns first.
    func experimentData(_ name: String, onPiece: ([UInt8]) -> Void) throws {
        var token: String?
        repeat {
            let response = try response(.get(experimentPath(name) + "/data", query: [("pageToken", token)]))
            guard response.status == 200 else { throw AdminErrorResponse(response) }
            onPiece(response.body)
            token = response.headers["X-Hearth-Next-Page-Token"]
        } while token != nil
    }

    /// What devices reported of late.
    func eventSummary() throws -> [EventBodies.Summary.Row] {
        try call(EventBodies.Summary.self, .get(projectPath() + "/events")).events ?? []
    }

    private func projectPath() throws -> String { "/hearth/v1/projects/\(AdminRequest.encoded(try project()))" }

    private func experimentPath(_ name: String? = nil) throws -> String {
        try projectPath() + "/experiments" + (name.map { "/" + AdminRequest.encoded($0) } ?? "")
    }
}

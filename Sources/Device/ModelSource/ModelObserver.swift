/// What is done with a version of a model.
package enum ModelStep: Sendable {
    case load, run
}

/// How a load or run ended.
package enum ModelOutcome: Sendable {
    case success(milliseconds: Double)
    /// `code` names the reason, for a count by code.
    case failure(code: String)
    /// It ended without saying anything about the version.
    case nothing
}

/// Watches the loads and runs of one version of a remote model. Called on any thread, and must not block.
package protocol ModelObserver: Sendable {
    /// The calling thread is about to load or run the version.
    ///
    /// - Returns: What `ended` needs.
    func begin(_ step: ModelStep) -> Int64

    /// The load or run is over.
    ///
    /// - Parameter isReported: Whether its time may be reported to the server.
    func ended(_ step: ModelStep, _ token: Int64, _ outcome: ModelOutcome, isReported: Bool)

    /// The best label or object of one run has this confidence, 0 to 1.
    func found(confidence: Double)
}

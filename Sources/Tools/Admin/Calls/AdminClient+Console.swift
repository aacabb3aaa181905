public import HearthCalls
import HearthWire

/// Who uses the web console, and what they share.
extension AdminClient {
    /// A code that signs one browser in as the caller, once, within a minute.
    ///
    /// - Throws: ``AdminError``.
    public func createSignInCode() throws(AdminError) -> ConsoleBodies.SignInCode {
        try call(.change("POST", "/hearth/v1/signInCodes"))
    }

    /// The browsers that are signed in and that the caller may sign out, newest first.
    ///
    /// - Throws: ``AdminError``.
    public func consoleSessions() throws(AdminError) -> [ConsoleBodies.Session] {
        try call(ConsoleBodies.SessionList.self, .get("/hearth/v1/consoleSessions")).sessions ?? []
    }

    /// Signs a browser out.
    ///
    /// - Throws: ``AdminError``.
    public func revokeConsoleSession(_ id: String) throws(AdminError) {
        try perform(.change("DELETE", "/hearth/v1/consoleSessions/\(WirePath.segment(id))"))
    }

    /// The project's links to single pages of the console, newest first.
    ///
    /// - Throws: ``AdminError``.
    public func sharedLinks() throws(AdminError) -> [ConsoleBodies.SharedLink] {
        try call(ConsoleBodies.SharedLinkList.self, .get(projectPath("sharedLinks"))).sharedLinks ?? []
    }

    /// Makes a link that shows one release of a model.
    ///
    /// - Parameters:
    ///   - model: its id.
    ///   - lifetimeSeconds: 60 seconds to 90 days; nil for 7 days.
    /// - Throws: ``AdminError``.
    public func shareRelease(
        _ number: Int, of model: String, lifetimeSeconds: Int64? = nil
    ) throws(AdminError) -> ConsoleBodies.SharedLink {
        try share(.init(model: model, release: number, lifetimeSeconds: lifetimeSeconds))
    }

    /// Makes a link that shows one experiment.
    ///
    /// - Parameter lifetimeSeconds: 60 seconds to 90 days; nil for 7 days.
    /// - Throws: ``AdminError``.
    public func shareExperiment(
        _ name: String, lifetimeSeconds: Int64? = nil
    ) throws(AdminError) -> ConsoleBodies.SharedLink {
        try share(.init(experiment: name, lifetimeSeconds: lifetimeSeconds))
    }

    private func share(
        _ body: ConsoleBodies.CreateSharedLinkRequest
    ) throws(AdminError) -> ConsoleBodies.SharedLink {
        try call(.change("POST", projectPath("sharedLinks"), body: body))
    }

    /// Ends a link.
    ///
    /// - Throws: ``AdminError``.
    public func revokeSharedLink(_ id: String) throws(AdminError) -> ConsoleBodies.SharedLink {
        try call(.change("DELETE", projectPath("sharedLinks", id)))
    }
}

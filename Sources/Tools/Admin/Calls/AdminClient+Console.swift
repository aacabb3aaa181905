public import HearthCalls

/// Who uses the web console, and what they share.
extension AdminClient {
    /// A code that signs one browser in as the caller, once, within a minute.
    ///
    /// - Throws: ``AdminError``.
    public func createSignInCode() throws(AdminError) -> ConsoleBodies.SignInCode {
        try call(SessionCalls.begin)
    }

    /// The browsers that are signed in and that the caller may sign out, newest first.
    ///
    /// - Throws: ``AdminError``.
    public func consoleSessions() throws(AdminError) -> [ConsoleBodies.Session] {
        try call(SessionCalls.list).sessions ?? []
    }

    /// Signs a browser out.
    ///
    /// - Throws: ``AdminError``.
    public func revokeConsoleSession(_ id: String) throws(AdminError) {
        try perform(SessionCalls.end, id)
    }

    /// The project's links to single pages of the console, newest first.
    ///
    /// - Throws: ``AdminError``.
    public func sharedLinks() throws(AdminError) -> [ConsoleBodies.SharedLink] {
        try call(SharedLinkCalls.list, project()).sharedLinks ?? []
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
        try call(SharedLinkCalls.create, project(), body: body)
    }

    /// Ends a link.
    ///
    /// - Throws: ``AdminError``.
    public func revokeSharedLink(_ id: String) throws(AdminError) -> ConsoleBodies.SharedLink {
        try call(SharedLinkCalls.end, project(), id)
    }
}

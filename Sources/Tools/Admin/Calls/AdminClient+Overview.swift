public import HearthCalls
import HearthWire

/// What is going on in a project, and where things are.
extension AdminClient {
    /// What people should know about the project now: rollouts, stopped releases, experiments, versions that cannot be
    /// released, and files that wait for their validation.
    ///
    /// - Throws: ``AdminError``.
    public func overview() throws(AdminError) -> OverviewBodies.Overview { try call(ProjectCalls.overview, project()) }

    /// Models, Remote Config parameters and conditions, and experiments whose names contain the text, and the
    /// installation with this id.
    ///
    /// - Parameter text: 1 to 100 characters, looked for as they are; upper and lower case are the same.
    /// - Throws: ``AdminError``.
    public func search(_ text: String) throws(AdminError) -> SearchBodies.Results {
        try call(ProjectCalls.search, project(), query: [("q", text)])
    }
}

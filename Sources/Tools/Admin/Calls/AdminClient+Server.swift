public import HearthCalls

extension AdminClient {
    /// The state of the server; all of it only for operators.
    ///
    /// - Throws: ``AdminError``.
    public func serverStatus() throws(AdminError) -> ServerBodies.Status {
        try call(ServerCalls.status)
    }
}

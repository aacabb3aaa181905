/// A connection as a stream sees it.
protocol StreamedConnection: Sendable {
    /// Stops asking for more, on the connection's own thread, when it has asked.
    func suspend()
    /// Asks again, from any thread; only while suspended.
    func resume()
    /// Ends the connection as if the peer had, from any thread; only while a request is under way.
    func hangUp()
}

extension RemoteConfig {
    /// Calls `listener` on a background queue, one call after the other, whenever the server has a new template and what it
    /// gives this installation was fetched. Activating is the listener's choice.
    ///
    /// While somebody listens, one connection to the server is open. When it breaks it is opened again, after longer and
    /// longer pauses; after seven failures in a row listeners are told once, and trying goes on. A server that has no updates
    /// for this app is not asked again until another listener comes.
    @discardableResult
    public func addOnConfigUpdateListener(
        remoteConfigUpdateCompletion listener: @escaping (RemoteConfigUpdate?, (any Error)?) -> Void
    ) -> ConfigUpdateListenerRegistration {
        updates.add(listener)
    }

    /// The same as a sequence. It ends by throwing what a listener is told as an error; ending its task removes the listener,
    /// and deleting the app ends it without an error.
    public var configUpdates: RemoteConfigUpdateSequence { RemoteConfigUpdateSequence(config: self) }
}

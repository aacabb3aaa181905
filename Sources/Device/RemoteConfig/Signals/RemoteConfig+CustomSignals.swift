extension RemoteConfig {
    /// Tells the server from the next fetch on what conditions of the template may look at; nil removes a signal. Signals are
    /// kept in the app's folder.
    ///
    /// - Throws: `NSError` in ``RemoteConfigCustomSignalsErrorDomain`` for more than 100 signals, keys longer than 250
    ///   characters, texts longer than 500 and numbers that are not finite; nothing changes then.
    public func setCustomSignals(_ customSignals: [String: CustomSignalValue?]) async throws {
        try await withCheckedThrowingContinuation { continuation in
            core.setSignals(customSignals) { continuation.resume(with: $0) }
        }
    }
}

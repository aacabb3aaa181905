/// Told how a remote model does, by whoever runs it. Called on any thread, where it must not block.
package protocol ModelObserver: Sendable {
    /// One run took so long.
    func ran(milliseconds: Double)

    /// The best label or object of one run has this confidence, 0 to 1.
    func found(confidence: Double)
}

/// Measures runs of a model, where anybody wants to know.
package struct ModelRunObservation: Sendable {
    /// Nil while nobody does.
    private let observer: (any ModelObserver)?

    private init(_ observer: (any ModelObserver)?) { self.observer = observer }

    /// Of a model that is not observed.
    package static let none = ModelRunObservation(nil)

    package init(remoteModel name: String) {
        self.init(ModelLocatorRegistry.locator?.observer(ofRemoteModel: name))
    }

    /// Of a file that may be a remote model's.
    package init(modelAt path: String) {
        self.init(ModelLocatorRegistry.locator?.observer(ofModelAt: path))
    }

    /// Runs `body`, and tells how long it took unless it throws.
    package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard let observer else { return try body() }
        let start = ContinuousClock.now
        let result = try body()
        observer.ran(milliseconds: (ContinuousClock.now - start) / .milliseconds(1))
        return result
    }

    /// Tells the confidence of the best label or object; nothing was found when it is nil.
    package func found(_ confidence: Float?) {
        if let observer, let confidence { observer.found(confidence: Double(confidence)) }
    }
}

/// Receives measurements of a remote model's runs. Called on any thread, and must not block.
package protocol ModelObserver: Sendable {
    /// One run took this time.
    func ran(milliseconds: Double)

    /// The best label or object of one run has this confidence, 0 to 1.
    func found(confidence: Double)
}

/// Measures the runs of a model, if it has an observer.
package struct ModelRunObservation: Sendable {
    /// nil without an observer.
    private let observer: (any ModelObserver)?

    private init(_ observer: (any ModelObserver)?) { self.observer = observer }

    /// For a model without an observer.
    package static let none = ModelRunObservation(nil)

    package init(remoteModel name: String) {
        self.init(ModelLocatorRegistry.locator?.observer(ofRemoteModel: name))
    }

    /// For a file that may be a copy of a remote model.
    package init(modelAt path: String) {
        self.init(ModelLocatorRegistry.locator?.observer(ofModelAt: path))
    }

    /// Runs `body` and reports its time, unless it throws.
    package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard let observer else { return try body() }
        let start = ContinuousClock.now
        let result = try body()
        observer.ran(milliseconds: (ContinuousClock.now - start) / .milliseconds(1))
        return result
    }

    /// Reports the confidence of the best label or object; nil if nothing was found.
    package func found(_ confidence: Float?) {
        if let observer, let confidence { observer.found(confidence: Double(confidence)) }
    }
}

/// Told how a remote model does, by whoever runs it. Called on any thread, where it must not block.
public protocol ModelObserver: Sendable {
    /// One run took so long.
    func ran(milliseconds: Double)

    /// The best label or object of one run has this confidence, 0 to 1.
    func found(confidence: Double)
}

/// Measures runs of a model, where anybody wants to know.
package struct ModelWatch: Sendable {
    /// Nil while nobody does.
    private let observer: (any ModelObserver)?

    /// - Parameter name: Of the remote model; nil for a model that is not observed.
    package init(
        remoteModel name: String?, locator: @autoclosure () -> (any ModelLocator)? = ModelLocatorRegistry.locator
    ) {
        observer = name.flatMap { locator()?.observer(ofRemoteModel: $0) }
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

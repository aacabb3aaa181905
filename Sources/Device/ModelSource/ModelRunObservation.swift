package import Foundation
import HearthModelFile

/// Watches the loads and runs of a version, if it has an observer.
package struct ModelRunObservation: Sendable {
    /// nil without an observer.
    private let observer: (any ModelObserver)?

    private init(_ observer: (any ModelObserver)?) { self.observer = observer }

    /// For a model without an observer.
    package static let none = ModelRunObservation(nil)

    /// For a file that may be a version of a remote model.
    package init(modelAt path: String) {
        self.init(ModelLocatorRegistry.locator?.observer(ofModelAt: path))
    }

    /// Runs `body`, which runs the model.
    ///
    /// - Parameters:
    ///   - isReported: Whether the time may be reported to the server.
    ///   - isFailure: Whether an error comes from the model and not from what the app passed.
    package func run<Result>(
        isReported: Bool = true, isFailure: (any Error) -> Bool, _ body: () throws -> Result
    ) throws -> Result {
        try watch(.run, isReported, body) { isFailure($0) ? .failure(code: "engine") : .nothing }
    }

    /// Runs `body`, which loads the model.
    ///
    /// - Parameter failureCode: Names the reason of an error; nil when the model is not the cause.
    package func load<Result, Failure: Error>(
        failureCode: (Failure) -> String?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try watch(.load, true, body) { error in failureCode(error).map { .failure(code: $0) } ?? .nothing }
    }

    private func watch<Result, Failure: Error>(
        _ step: ModelStep, _ isReported: Bool, _ body: () throws(Failure) -> Result,
        _ failure: (Failure) -> ModelOutcome
    ) throws(Failure) -> Result {
        guard let observer else { return try body() }
        let token = observer.begin(step)
        let start = ContinuousClock.now
        do throws(Failure) {
            let result = try body()
            let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
            observer.ended(step, token, .success(milliseconds: milliseconds), isReported: isReported)
            return result
        } catch {
            observer.ended(step, token, failure(error), isReported: isReported)
            throw error
        }
    }

    /// Reports the confidence of the best label or object; nil if nothing was found.
    package func found(_ confidence: Float?) {
        if let observer, let confidence { observer.found(confidence: Double(confidence)) }
    }
}

extension ModelRunObservation {
    /// The code of an error of a load: its underlying error names the reason.
    package static func loadFailureCode(_ error: NSError) -> String? {
        switch error.userInfo[NSUnderlyingErrorKey] {
        case let cause as ModelFileError: cause.code.rawValue
        case .some: "engine"
        // The app opened a model of another kind than it wanted.
        case nil: nil
        }
    }
}

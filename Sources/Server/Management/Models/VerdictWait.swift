import HearthHTTP
import HearthRouting
import HearthValidation

/// Lets an answer wait until the file that it is about is validated, or until the caller has waited long enough. No thread
/// waits.
struct VerdictWait: Sendable {
    private let validation: ValidationQueue
    private let seconds: Double

    /// - Parameter seconds: how long a caller waits at most.
    init(_ validation: ValidationQueue, seconds: Double) {
        self.validation = validation
        self.seconds = seconds
    }

    /// - Parameter then: makes the answer, in the writers' queue.
    func answer<Answer>(
        _ sha256: String, then: @escaping @Sendable () throws -> Answer
    ) -> PendingAnswer<Answer> {
        .later(
            { [validation, seconds] resume in validation.whenDone(sha256, withinSeconds: seconds) { _ in resume() } },
            then: then)
    }
}

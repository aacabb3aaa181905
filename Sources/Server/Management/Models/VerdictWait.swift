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

    /// The wait for the verdict on the file.
    func wait(for sha256: String) -> @Sendable (_ resume: @escaping @Sendable () -> Void) -> Void {
        { [validation, seconds] resume in validation.whenDone(sha256, withinSeconds: seconds) { _ in resume() } }
    }
}

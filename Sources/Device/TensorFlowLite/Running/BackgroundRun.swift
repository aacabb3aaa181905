import Dispatch

extension ModelSessions {
    /// Runs `body` on a thread that is nobody else's and never one of Swift's own, of which there are few.
    ///
    /// From the call on until it returns the gate is closed to everybody but `body`.
    /// - Throws: `CancellationError` when the task was cancelled in time; what `body` throws.
    nonisolated(nonsending) func runInBackground(_ body: @escaping () throws -> Void) async throws {
        try gate.enterForBackgroundRun()
        guard let run = runs.canceller.begin() else {
            preconditionFailure("a run without the gate")
        }
        let canceller = runs.canceller
        let lent = Lent(body: body, sessions: self, run: run)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                runs.backgroundQueue.async { continuation.resume(with: lent.finish()) }
            }
        } onCancel: {
            canceller.cancel(run)
        }
    }
}

/// What goes to the other thread and back.
///
/// Safe to send: the gate turns every other user of the interpreter away from before it is sent until the last line of
/// `finish()`, so two threads never have it at once, and gate and queue order their accesses.
private struct Lent: @unchecked Sendable {
    let body: () throws -> Void
    let sessions: ModelSessions
    let run: InvocationCanceller.Run

    func finish() -> Result<Void, any Error> {
        sessions.gate.adoptBackgroundRun()
        let result = Result { try body() }
        sessions.runs.canceller.end(run)
        sessions.gate.leave()
        return result
    }
}

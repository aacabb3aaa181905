import Dispatch
public import Foundation

extension Interpreter {
    /// Does what ``invoke()`` does on a thread of the interpreter's own, while the caller's task waits without holding a
    /// thread. For runs of more than some tenths of a millisecond; shorter ones are over sooner than a thread has taken
    /// them up.
    ///
    /// Until it returns, every other use of the interpreter and its signature runners throws
    /// `InterpreterError.tensorFlowLiteError`. Cancelling the task stops the run as ``InvocationCanceller`` does.
    ///
    /// It is no overload of ``invoke()``, because Swift prefers asynchronous ones in asynchronous functions: existing code
    /// there that says `try interpreter.invoke()` would no longer compile.
    /// - Throws: What ``invoke()`` throws; `CancellationError`; `InterpreterError.tensorFlowLiteError` when the interpreter
    ///   is in use.
    public nonisolated(nonsending) func invokeInBackground() async throws {
        try await sessions.runInBackground { try self.invoke() }
    }
}

extension SignatureRunner {
    /// Does what ``invoke(with:)`` does on a thread of the interpreter's own, as ``Interpreter/invokeInBackground()``.
    /// - Throws: What ``invoke(with:)`` throws; `CancellationError`; `InterpreterError.tensorFlowLiteError` when the
    ///   interpreter is in use.
    public nonisolated(nonsending) func invokeInBackground(with inputs: [String: Data]) async throws {
        try await interpreter.sessions.runInBackground { try self.invoke(with: inputs) }
    }
}

extension ModelSessions {
    /// Runs `body` on a thread that is nobody else's and never one of Swift's own, of which there are few.
    ///
    /// From the call on until it returns the gate is closed to everybody but `body`.
    /// - Throws: `CancellationError` when the task was cancelled in time; what `body` throws.
    nonisolated(nonsending) func runInBackground(_ body: @escaping () throws -> Void) async throws {
        try lock.lockForBackgroundRun()
        guard let run = runs.canceller.begin() else {
            preconditionFailure("a run without the gate")
        }
        let canceller = runs.canceller
        let lent = BackgroundInvocation(body: body, sessions: self, run: run)
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
private struct BackgroundInvocation: @unchecked Sendable {
    let body: () throws -> Void
    let sessions: ModelSessions
    let run: InvocationCanceller.Run

    func finish() -> Result<Void, any Error> {
        sessions.lock.transferToCurrentThread()
        let result = Result { try body() }
        sessions.runs.canceller.end(run)
        sessions.lock.unlock()
        return result
    }
}

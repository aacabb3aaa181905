import Dispatch
public import Foundation

extension Interpreter {
    /// Runs the model like ``invoke()``, but on a thread of the interpreter's own, while the caller's task waits
    /// without occupying a thread. Use it for runs longer than some tenths of a millisecond; shorter ones take less
    /// time than starting them on another thread.
    ///
    /// Until it returns, every other use of the interpreter and its signature runners throws
    /// `InterpreterError.tensorFlowLiteError`. Cancelling the task stops the run, like ``InvocationCanceller``.
    ///
    /// It is not an overload of ``invoke()``, because Swift prefers asynchronous overloads in asynchronous functions:
    /// existing code with `try interpreter.invoke()` there would no longer compile.
    /// - Throws: The errors of ``invoke()``; `CancellationError`; `InterpreterError.tensorFlowLiteError` when the
    ///   interpreter is in use.
    public nonisolated(nonsending) func invokeInBackground() async throws {
        try await sessions.runInBackground { try self.invoke() }
    }
}

extension SignatureRunner {
    /// Runs the signature like ``invoke(with:)``, but on a thread of the interpreter's own, like
    /// ``Interpreter/invokeInBackground()``.
    /// - Throws: The errors of ``invoke(with:)``; `CancellationError`; `InterpreterError.tensorFlowLiteError` when the
    ///   interpreter is in use.
    public nonisolated(nonsending) func invokeInBackground(with inputs: [String: Data]) async throws {
        try await interpreter.sessions.runInBackground { try self.invoke(with: inputs) }
    }
}

extension ModelSessions {
    /// Runs `body` on a thread of its own, never on one of Swift's few cooperative threads.
    ///
    /// From the call until it returns, the lock keeps all other callers out; only `body` may use the interpreter.
    /// - Throws: `CancellationError` when the task was cancelled in time; the errors of `body`.
    nonisolated(nonsending) func runInBackground(_ body: @escaping () throws -> Void) async throws {
        try lock.lockForBackgroundRun()
        guard let run = runs.canceller.begin() else {
            preconditionFailure("a run without the lock")
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

/// What the calling thread passes to the other thread.
///
/// Safe to send: the lock refuses every other user of the interpreter from before it is sent until the last line of
/// `finish()`, so two threads never have it at once, and lock and queue order their accesses.
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

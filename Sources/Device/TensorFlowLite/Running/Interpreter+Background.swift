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

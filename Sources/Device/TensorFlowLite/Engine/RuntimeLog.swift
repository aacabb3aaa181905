import Foundation

/// Where the interpreter says what its errors have no room for: standard error, and only when asked to.
struct RuntimeLog: Sendable {
    private let level: Interpreter.Options.LogLevel

    init(_ options: Interpreter.Options?) {
        level = options?.logLevel ?? .silent
    }

    func error(_ text: @autoclosure () -> String) {
        guard level >= .error else { return }
        FileHandle.standardError.write(Data("TensorFlow Lite Error: \(text())\n".utf8))
    }

    /// What to throw for a failure: the engine's reason if it gave one; else, once the failure is written down, the case
    /// that the original library has for the step.
    func error(_ failure: RuntimeFailure, otherwise error: any Error) -> any Error {
        if failure.hasReason { return InterpreterError.tensorFlowLiteError(failure.message) }
        self.error(failure.message)
        return error
    }
}

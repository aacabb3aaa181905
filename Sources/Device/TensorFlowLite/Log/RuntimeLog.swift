import Foundation
import Synchronization

/// Where the interpreter and the engine say what errors have no room for: standard error or the caller's handler, and
/// only when asked to.
struct RuntimeLog: Sendable {
    private let level: Interpreter.Options.LogLevel
    private let handler: LogHandler?
    /// Whether the engine has reasons to print while it compiles that its own level does not silence.
    private let usesWeightCache: Bool

    init(_ options: Interpreter.Options?) {
        level = options?.logLevel ?? .silent
        handler = options?.logHandler
        usesWeightCache = options?.weightCache != nil
    }

    func error(_ text: @autoclosure () -> String) {
        guard level >= .error else { return }
        write(LogMessage(level: .error, text: text()))
    }

    func warning(_ text: @autoclosure () -> String) {
        guard level >= .warning else { return }
        write(LogMessage(level: .warning, text: text()))
    }

    /// What to throw for a failure: the engine's reason if it gave one; else, once the failure is written down, the case
    /// that the original library has for the step.
    func error(_ failure: RuntimeFailure, otherwise error: any Error) -> any Error {
        if failure.step == .cancelled { return CancellationError() }
        if failure.hasReason { return InterpreterError.tensorFlowLiteError(failure.message) }
        self.error(failure.message)
        return error
    }

    private func write(_ message: LogMessage) {
        if let handler { return LogDelivery.deliver(message, to: handler) }
        let prefix = message.level == .error ? "TensorFlow Lite Error: " : "TensorFlow Lite: "
        FileHandle.standardError.write(Data("\(prefix)\(message.text)\n".utf8))
    }
}

extension RuntimeLog {
    /// Calls `body`, in which the engine is called, and passes what it prints to the handler if there is one.
    func listening<Result>(_ body: () -> Result) -> Result {
        handler == nil ? body() : listeningAlways(body)
    }

    /// As ``listening(_:)``, for what compiles. Then the library prints lines whatever its log level: one with the first
    /// delegate of a process ("INFO: Created TensorFlow Lite XNNPACK delegate for CPU."), and those of the weight cache.
    func listeningToCompilation<Result>(_ body: () -> Result) -> Result {
        let mayPrint = usesWeightCache || !Self.hasSeenDelegateLine.load(ordering: .relaxed)
        return handler != nil || (level < .info && mayPrint) ? listeningAlways(body) : body()
    }

    private func listeningAlways<Result>(_ body: () -> Result) -> Result {
        let (result, messages) = StandardErrorCapture.during(body)
        for message in messages {
            if message.text.contains("XNNPACK delegate") { Self.hasSeenDelegateLine.store(true, ordering: .relaxed) }
            if message.level <= level { write(message) }
        }
        return result
    }

    /// From then on, silence needs no listening.
    private static let hasSeenDelegateLine = Atomic(false)
}

import CLiteRT
import Foundation
import HearthConcurrency

/// Where the interpreter and the engine write what does not fit into an error: standard error or the app's handler, and
/// only if the options ask for it.
struct RuntimeLog: Sendable {
    private let level: Interpreter.Options.LogLevel
    private let handler: LogHandler?
    /// Whether the engine prints reasons during compilation that its own log level does not silence.
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

    private func write(_ message: LogMessage) {
        if let handler { return LogHandlerCall.deliver(message, to: handler) }
        let prefix = message.level == .error ? "TensorFlow Lite Error: " : "TensorFlow Lite: "
        FileHandle.standardError.write(Data("\(prefix)\(message.text)\n".utf8))
    }
}

extension RuntimeLog {
    /// Calls `body`, which calls the engine, and passes the engine's output to the handler if there is one.
    func capturingOutput<Result>(_ body: () -> Result) -> Result {
        handler == nil ? body() : alwaysCapturingOutput(body)
    }

    /// Calls `body`, which compiles, and passes the engine's output to the handler if there is one. While it compiles,
    /// the library prints some lines regardless of its log level: one with the first delegate of a process ("INFO:
    /// Created TensorFlow Lite XNNPACK delegate for CPU."), and those of the weight cache.
    func capturingCompilerOutput<Result>(_ body: () -> Result) -> Result {
        let mayPrint = usesWeightCache || !Self.hasSeenDelegateLine.withLock { $0 }
        return handler != nil || (level < .info && mayPrint) ? alwaysCapturingOutput(body) : body()
    }

    private func alwaysCapturingOutput<Result>(_ body: () -> Result) -> Result {
        let (result, messages) = StandardErrorCapture.during(body)
        for message in messages {
            if message.text.contains("XNNPACK delegate") { Self.hasSeenDelegateLine.withLock { $0 = true } }
            if message.level <= level { write(message) }
        }
        return result
    }

    /// After that line, silence needs no capture any more.
    private static let hasSeenDelegateLine = Lock(false)
}

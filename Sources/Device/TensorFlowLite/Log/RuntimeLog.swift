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

/// The library's log level. The library has one for the whole process and takes it from the newest environment, so
/// environments are created under one lock.
enum LogSeverity {
    private static let mostVerboseLevel = Lock(Interpreter.Options.LogLevel.silent)

    /// Calls `makeEnvironment` with the library's number for the environment's level. The level only rises, so that a
    /// silent interpreter does not silence one with a higher level.
    static func raised(
        to level: Interpreter.Options.LogLevel, _ makeEnvironment: (Int64) -> LiteRtStatus
    ) -> LiteRtStatus {
        mostVerboseLevel.withLock { current in
            current = max(current, level)
            return makeEnvironment(number(of: current))
        }
    }

    /// Calls `body`, which must not create an environment, while the library logs its errors. Errors of other threads
    /// may also be printed during that time.
    static func withErrors<Result>(_ body: () -> Result) -> Result {
        mostVerboseLevel.withLock { current in
            guard current < .error else { return body() }
            set(.error)
            defer { set(current) }
            return body()
        }
    }

    /// Creates an environment for this purpose alone.
    private static func set(_ level: Interpreter.Options.LogLevel) {
        let options = [
            RuntimeEnvironment.option(kLiteRtEnvOptionTagAutoRegisterAccelerators, Int64(kLiteRtHwAcceleratorCpu)),
            RuntimeEnvironment.option(kLiteRtEnvOptionTagMinLoggerSeverity, number(of: level)),
        ]
        var environment: LiteRtEnvironment?
        let status = LiteRtCreateEnvironment(Int32(options.count), options, &environment)
        if status == kLiteRtStatusOk { LiteRtDestroyEnvironment(environment) }
    }

    private static func number(of level: Interpreter.Options.LogLevel) -> Int64 {
        switch level {
        case .silent: 4
        case .error: 3
        case .warning: 2
        case .info: 1
        }
    }
}

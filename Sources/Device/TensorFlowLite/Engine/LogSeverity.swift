import CLiteRT
import Synchronization

/// The library's log level. It has one for the process and takes it from the environment made last, so environments are
/// made under one lock.
enum LogSeverity {
    private static let talkativeLevel = Mutex(Interpreter.Options.LogLevel.silent)

    /// Calls `makeEnvironment` with the library's number for the level that the environment is to have. The level only
    /// ever goes up, so that a silent interpreter does not silence a talkative one.
    static func raised(
        to level: Interpreter.Options.LogLevel, _ makeEnvironment: (Int64) -> LiteRtStatus
    ) -> LiteRtStatus {
        talkativeLevel.withLock { current in
            current = max(current, level)
            return makeEnvironment(number(of: current))
        }
    }

    /// Calls `body`, which makes no environment, while the library logs its errors. Other threads' errors may be printed
    /// too meanwhile.
    static func withErrors<Result>(_ body: () -> Result) -> Result {
        talkativeLevel.withLock { current in
            guard current < .error else { return body() }
            set(.error)
            defer { set(current) }
            return body()
        }
    }

    /// By an environment that nothing else needs.
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

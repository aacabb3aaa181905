import CLiteRT
import Foundation
import HearthConcurrency

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

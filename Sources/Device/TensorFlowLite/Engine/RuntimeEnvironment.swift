import CLiteRT
import Synchronization

/// Owns a `LiteRtEnvironment`, which every model and compiled model refers to.
///
/// Each interpreter has its own: it costs a tenth of a millisecond, and interpreters on different threads then share
/// nothing but what the library itself guards.
final class RuntimeEnvironment {
    let handle: LiteRtEnvironment

    init(logLevel: Interpreter.Options.LogLevel) throws(RuntimeFailure) {
        let options = [
            // CPU only: spares the search for GPU and NPU plug-ins, and the warnings that there are none.
            Self.option(kLiteRtEnvOptionTagAutoRegisterAccelerators, Int64(kLiteRtHwAcceleratorCpu)),
            Self.option(kLiteRtEnvOptionTagMinLoggerSeverity, Self.severity(raisingTo: logLevel)),
        ]
        var created: LiteRtEnvironment?
        let status = LiteRtCreateEnvironment(Int32(options.count), options, &created)
        try RuntimeFailure.check(status, .create, "start")
        guard let created else { throw RuntimeFailure(.create, call: "start", status: status) }
        handle = created
    }

    deinit {
        LiteRtDestroyEnvironment(handle)
    }

    private static func option(_ tag: some BinaryInteger, _ value: Int64) -> LiteRtEnvOption {
        var option = LiteRtEnvOption()
        option.tag = Int32(tag)
        option.value.type = Int32(kLiteRtAnyTypeInt)
        option.value.int_value = value
        return option
    }

    private static let talkativeLevel = Mutex(Interpreter.Options.LogLevel.silent)

    /// The library has one severity for the process and takes it from the environment made last. So that a silent
    /// interpreter does not silence a talkative one, the level only ever goes up.
    private static func severity(raisingTo level: Interpreter.Options.LogLevel) -> Int64 {
        let level = talkativeLevel.withLock { current in
            current = max(current, level)
            return current
        }
        return switch level {
        case .silent: 4
        case .error: 3
        case .warning: 2
        case .info: 1
        }
    }
}

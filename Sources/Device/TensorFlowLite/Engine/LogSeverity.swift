import Synchronization

/// The library's log level. It has one for the process and takes it from the environment made last.
enum LogSeverity {
    private static let talkativeLevel = Mutex(Interpreter.Options.LogLevel.silent)

    /// The level only ever goes up, so that a silent interpreter does not silence a talkative one.
    /// - Returns: The library's number for it.
    static func raised(to level: Interpreter.Options.LogLevel) -> Int64 {
        let level = talkativeLevel.withLock { current in
            current = max(current, level)
            return current
        }
        return number(of: level)
    }

    /// Calls `body` while the library logs its errors. Other threads' errors may be printed too meanwhile.
    static func withErrors<Result>(_ body: () -> Result) -> Result {
        talkativeLevel.withLock { current in
            guard current < .error else { return body() }
            // Made to set the level; nothing else needs them.
            _ = try? RuntimeEnvironment(severity: number(of: .error))
            defer { _ = try? RuntimeEnvironment(severity: number(of: current)) }
            return body()
        }
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

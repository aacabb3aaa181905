extension Interpreter {
    /// Measures the runs that `body` makes of this interpreter and its signature runners, operator by operator.
    ///
    /// ```swift
    /// let profile = try interpreter.profile { for _ in 0..<100 { try interpreter.invoke() } }
    /// for timing in profile.operators { print(timing.name, timing.total / timing.count) }
    /// ```
    ///
    /// Measuring makes runs slower, those of small operators several times: do not take the whole run's time from here.
    /// While a run lasts, each operator that it runs takes a hundred bytes of memory, each time that it runs in a loop.
    /// - Throws: `InterpreterError.tensorFlowLiteError` when ``Options/isProfilingEnabled`` is false or `body` takes a
    ///   profile of the same interpreter; what `body` throws.
    public func profile(_ body: () throws -> Void) throws -> Profile {
        try sessions.gate.held { try sessions.runs.profile(body) }
    }
}

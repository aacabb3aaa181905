import CLiteRT

/// The time that each operator of a model took, from ``Interpreter/profile(_:)``.
public struct Profile: Sendable, Equatable, Codable {
    /// The number of successful runs.
    public let invocationCount: Int

    /// The operators, sorted by total time, the longest first.
    public let operators: [OperatorTiming]
}

/// The time that one operator took.
///
/// The engine measures in whole microseconds, rounded down, so an operator that takes less counts as 0.
public struct OperatorTiming: Sendable, Equatable, Codable {
    /// The operator's name in the model, such as `CONV_2D`. For delegated operators it is the kernel's name, such as
    /// `Convolution (NHWC, F32) IGEMM`.
    public let name: String

    /// The operator's number in its subgraph. For delegated operators it is the position in the piece of the model that
    /// XNNPACK runs, which has no fixed relation to that number. Operators of equal name and number, from two such
    /// pieces or two subgraphs, are counted together.
    public let nodeIndex: Int

    /// Whether XNNPACK or an accelerator ran the operator.
    public let isDelegated: Bool

    /// How often it ran; inside a loop, more than once in each run of the model.
    public let count: Int

    /// The total time of these.
    public let total: Duration

    /// The shortest time of these.
    public let minimum: Duration

    /// The longest time of these.
    public let maximum: Duration
}

extension Interpreter {
    /// Measures the runs that `body` makes with this interpreter and its signature runners, operator by operator.
    ///
    /// ```swift
    /// let profile = try interpreter.profile { for _ in 0..<100 { try interpreter.invoke() } }
    /// for timing in profile.operators { print(timing.name, timing.total / timing.count) }
    /// ```
    ///
    /// Measuring makes runs slower, with small operators several times slower, so do not use it for the time of a whole
    /// run. During a run, each execution of an operator takes a hundred bytes of memory, also in loops.
    /// - Throws: `InterpreterError.tensorFlowLiteError` when ``Options/isProfilingEnabled`` is false or `body` starts a
    ///   profile of the same interpreter; the errors of `body`.
    public func profile(_ body: () throws -> Void) throws -> Profile {
        try sessions.lock.withLock { try sessions.runs.profile(body) }
    }
}

/// Adds up the profiler's events, run by run.
struct ProfileRecording {
    private struct Operator: Hashable {
        let name: String
        let nodeIndex: Int
        let isDelegated: Bool
    }

    private struct Times {
        var count = 0
        var total: UInt64 = 0
        var minimum = UInt64.max
        var maximum: UInt64 = 0
    }

    private var invocationCount = 0
    private var times: [Operator: Times] = [:]

    /// Adds the events of one run.
    mutating func add(_ events: [OperatorEvent]) {
        invocationCount += 1
        for event in events {
            let key = Operator(name: event.name, nodeIndex: event.nodeIndex, isDelegated: event.isDelegated)
            var times = times[key] ?? Times()
            times.count += 1
            times.total &+= event.microseconds
            times.minimum = min(times.minimum, event.microseconds)
            times.maximum = max(times.maximum, event.microseconds)
            self.times[key] = times
        }
    }

    var profile: Profile {
        let operators = times.map { key, times in
            OperatorTiming(
                name: key.name, nodeIndex: key.nodeIndex, isDelegated: key.isDelegated, count: times.count,
                total: .microseconds(times.total), minimum: .microseconds(times.minimum),
                maximum: .microseconds(times.maximum))
        }
        return Profile(
            invocationCount: invocationCount,
            operators: operators.sorted {
                // The criteria after the time only make the order stable.
                ($1.total, $0.isDelegated ? 1 : 0, $0.nodeIndex, $0.name)
                    < ($0.total, $1.isDelegated ? 1 : 0, $1.nodeIndex, $1.name)
            })
    }
}

/// One operator of one run.
struct OperatorEvent {
    let name: String
    let nodeIndex: Int
    let isDelegated: Bool
    let microseconds: UInt64
}

/// The profiler of a compiled model. The model owns it, so this value keeps the model.
struct RuntimeProfiler {
    private let handle: LiteRtProfiler
    private let compiled: CompiledModel

    /// - Parameter compiled: A model that was compiled with profiling.
    init(_ compiled: CompiledModel) throws(EngineError) {
        var found: LiteRtProfiler?
        let status = LiteRtCompiledModelGetProfiler(compiled.handle, &found)
        guard status == kLiteRtStatusOk, let found else {
            throw EngineError(.create, call: "make a profiler", status: status)
        }
        handle = found
        self.compiled = compiled
    }

    /// Discards earlier events.
    func start() throws(EngineError) {
        try EngineError.check(LiteRtStartProfiler(handle), .run, "start the profiler")
    }

    func stop() throws(EngineError) {
        try EngineError.check(LiteRtStopProfiler(handle), .run, "stop the profiler")
    }

    /// Passes the operators' events between start and stop to `body`.
    func events(_ body: ([OperatorEvent]) -> Void) throws(EngineError) {
        var count: Int32 = 0
        try EngineError.check(LiteRtGetNumProfilerEvents(handle, &count), .run, "count the profiler's events")
        var events = [ProfiledEventData](repeating: ProfiledEventData(), count: Int(max(count, 0)))
        try EngineError.check(
            LiteRtGetProfilerEvents(handle, count, &events), .run, "read the profiler's events")
        body(events.compactMap(OperatorEvent.init))
    }
}

extension OperatorEvent {
    /// nil for events of other kinds.
    fileprivate init?(_ event: ProfiledEventData) {
        guard let tag = event.tag else { return nil }
        switch Int(event.type) {
        case kLiteRtProfilerEventTypeOperator: isDelegated = false
        case kLiteRtProfilerEventTypeDelegatedOperator: isDelegated = true
        default: return nil
        }
        name = String(cString: tag)
        nodeIndex = Int(clamping: event.metadata_1)
        microseconds = event.elapsed_us
    }
}

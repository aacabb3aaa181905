import CLiteRT

/// How long the operators of a model took, from ``Interpreter/profile(_:)``.
public struct Profile: Sendable, Equatable, Codable {
    /// The number of runs that succeeded.
    public let invocationCount: Int

    /// By total time, the longest first.
    public let operators: [OperatorTiming]
}

/// How long one operator took.
///
/// The engine measures in whole microseconds, rounded down: operators that take less count as 0.
public struct OperatorTiming: Sendable, Equatable, Codable {
    /// The operator's name in the model, such as `CONV_2D`; of delegated ones the kernel's, such as
    /// `Convolution (NHWC, F32) IGEMM`.
    public let name: String

    /// The operator's number in its subgraph; of delegated ones its place in the piece of the model that XNNPACK runs,
    /// which has no fixed relation to that number. Two of one name and number are counted together: those of two such
    /// pieces, or of two subgraphs.
    public let nodeIndex: Int

    /// Whether XNNPACK or an accelerator ran it.
    public let isDelegated: Bool

    /// How often it was run; more than once in each run of the model if in a loop.
    public let count: Int

    /// The time of all of them together.
    public let total: Duration

    /// The shortest of them.
    public let minimum: Duration

    /// The longest of them.
    public let maximum: Duration
}

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
        try sessions.lock.withLock { try sessions.runs.profile(body) }
    }
}

/// Adds up what the profiler saw, run by run.
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
                // Beyond the time only so that the order is always the same.
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

/// The profiler of a compiled model, which owns it: keep the model for as long as this.
struct RuntimeProfiler {
    private let handle: LiteRtProfiler
    private let compiled: CompiledModel

    /// - Parameter compiled: One compiled with profiling.
    init(_ compiled: CompiledModel) throws(RuntimeFailure) {
        var found: LiteRtProfiler?
        let status = LiteRtCompiledModelGetProfiler(compiled.handle, &found)
        guard status == kLiteRtStatusOk, let found else {
            throw RuntimeFailure(.create, call: "make a profiler", status: status)
        }
        handle = found
        self.compiled = compiled
    }

    /// Forgets what was seen before.
    func start() throws(RuntimeFailure) {
        try RuntimeFailure.check(LiteRtStartProfiler(handle), .run, "start the profiler")
    }

    func stop() throws(RuntimeFailure) {
        try RuntimeFailure.check(LiteRtStopProfiler(handle), .run, "stop the profiler")
    }

    /// What operators did between start and stop.
    func events(_ body: ([OperatorEvent]) -> Void) throws(RuntimeFailure) {
        var count: Int32 = 0
        try RuntimeFailure.check(LiteRtGetNumProfilerEvents(handle, &count), .run, "count the profiler's events")
        var events = [ProfiledEventData](repeating: ProfiledEventData(), count: Int(max(count, 0)))
        try RuntimeFailure.check(
            LiteRtGetProfilerEvents(handle, count, &events), .run, "read the profiler's events")
        body(events.compactMap(OperatorEvent.init))
    }
}

extension OperatorEvent {
    /// nil for events that are no operator's.
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

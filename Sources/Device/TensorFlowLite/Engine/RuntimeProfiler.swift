import CLiteRT

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

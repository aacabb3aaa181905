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

/// Which planned ends have come: by the time of day, or because as much time has gone by as was left when the end was first
/// seen. The latter holds for what was made while the time of day was far ahead, and is looked at when it is right again.
public struct PlannedEnds: Sendable {
    private struct End {
        var microseconds: Int64
        /// On the steady clock; nil for what had passed, by the time of day, when it was first seen.
        var steadyMicroseconds: Int64?
    }

    private var ends: [String: End] = [:]

    public init() {}

    /// Replaces what is known. What was known before keeps the moment that it was first seen at.
    ///
    /// - Parameter planned: the ends that are no facts yet, by a name of what ends.
    public mutating func know(_ planned: [String: Int64], at moment: ServerClock.Moment) {
        ends = planned.reduce(into: [:]) { result, item in
            if let known = ends[item.key], known.microseconds == item.value, known.steadyMicroseconds != nil {
                result[item.key] = known
                return
            }
            let left = item.value.subtractingReportingOverflow(moment.passingMicroseconds).partialValue
            result[item.key] = End(
                microseconds: item.value,
                steadyMicroseconds: left > 0
                    ? moment.steadyMicroseconds.addingReportingOverflow(left).partialValue : nil)
        }
    }

    /// The names of what has ended.
    ///
    /// - Parameter passedMicroseconds: the time of day up to which ends have passed for good.
    public func passed(byMicroseconds passedMicroseconds: Int64, steadyMicroseconds: Int64) -> Set<String> {
        Set(
            ends.filter { _, end in
                end.microseconds <= passedMicroseconds || (end.steadyMicroseconds ?? .max) <= steadyMicroseconds
            }.keys)
    }
}

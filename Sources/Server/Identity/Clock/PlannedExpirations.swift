/// Decides which planned ends have passed: by the time of day, or because the time that was left when the end was first
/// seen has gone by. The second rule is for ends that were planned while the time of day was far ahead, and applies
/// when it is right again.
///
/// For an end that was planned just now, the clock that planned it also measures the time that is left. An end from
/// before the start is measured once the time of day is trusted.
package struct PlannedExpirations: Sendable {
    /// A planned end.
    private struct End {
        var microseconds: Int64
        /// On the monotonic clock; nil until the time that is left is known.
        var monotonicMicroseconds: Int64?
    }

    private var ends: [String: End] = [:]
    private var isMeasured = true

    package init() {}

    /// Replaces the planned ends. Ends that were known before keep their measurement.
    ///
    /// - Parameters:
    ///   - planned: the ends that are not stored as ended yet, by the name of what ends.
    ///   - isSure: whether the present clock can measure how much time is left until new ends. Otherwise `measure` does
    ///     so later.
    package mutating func update(_ planned: [String: Int64], at moment: ServerClock.Moment, isSure: Bool = true) {
        ends = planned.reduce(into: [:]) { result, item in
            if let known = ends[item.key], known.microseconds == item.value {
                result[item.key] = known
                return
            }
            result[item.key] = End(
                microseconds: item.value, monotonicMicroseconds: isSure ? Self.steadyEnd(item.value, moment) : nil)
        }
        isMeasured = ends.values.allSatisfy { $0.monotonicMicroseconds != nil }
    }

    /// Measures the time left for ends that were not measured yet. To be called while the time of day is trusted.
    package mutating func measure(at moment: ServerClock.Moment) {
        guard !isMeasured else { return }
        isMeasured = true
        for (name, end) in ends where end.monotonicMicroseconds == nil {
            ends[name]?.monotonicMicroseconds = Self.steadyEnd(end.microseconds, moment)
            if ends[name]?.monotonicMicroseconds == nil { isMeasured = false }
        }
    }

    /// Nil if the end has passed by the time of day.
    private static func steadyEnd(_ microseconds: Int64, _ moment: ServerClock.Moment) -> Int64? {
        let left = microseconds.subtractingReportingOverflow(moment.expiryMicroseconds).partialValue
        return left > 0 ? moment.monotonicMicroseconds.addingReportingOverflow(left).partialValue : nil
    }

    /// The names of what has ended.
    ///
    /// - Parameter passedMicroseconds: the time of day up to which ends have passed for good.
    package func passed(byMicroseconds passedMicroseconds: Int64, monotonicMicroseconds: Int64) -> Set<String> {
        Set(
            ends.filter { _, end in
                end.microseconds <= passedMicroseconds || (end.monotonicMicroseconds ?? .max) <= monotonicMicroseconds
            }.keys)
    }
}

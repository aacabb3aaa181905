/// Which planned ends have come: by the time of day, or because as much time has gone by as was left when the end was first
/// seen. The latter holds for what was made while the time of day was far ahead, and is looked at when it is right again.
///
/// An end that was planned just now was planned by the very clock that tells how much is left. One from before the start was
/// not: it is measured once that clock is believed.
package struct PlannedExpirations: Sendable {
    private struct End {
        var microseconds: Int64
        /// On the steady clock; nil as long as it is not known how much is left.
        var monotonicMicroseconds: Int64?
    }

    private var ends: [String: End] = [:]
    private var isMeasured = true

    package init() {}

    /// Replaces what is known. What was known before keeps the moment that it was measured at.
    ///
    /// - Parameters:
    ///   - planned: the ends that are no facts yet, by a name of what ends.
    ///   - isSure: whether how much is left of new ones can be told by the clock as it is now. Else `measure` does later.
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

    /// Measures what is left of those of which it is not known. To be called while the time of day is believed.
    package mutating func measure(at moment: ServerClock.Moment) {
        guard !isMeasured else { return }
        isMeasured = true
        for (name, end) in ends where end.monotonicMicroseconds == nil {
            ends[name]?.monotonicMicroseconds = Self.steadyEnd(end.microseconds, moment)
            if ends[name]?.monotonicMicroseconds == nil { isMeasured = false }
        }
    }

    /// Nil for what has passed by the time of day.
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

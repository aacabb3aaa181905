/// When a running experiment gets a point of its history, and which points stay. Pure.
///
/// The points come at growing intervals, because an experiment shows most of its change at its beginning, and one that
/// runs for months must not get more points than a curve needs.
package enum HistorySchedule {
    /// The most points of an experiment.
    package static let limit = 200
    /// The least seconds between two points.
    private static let leastMicroseconds: Int64 = 60_000_000
    /// The next point comes when the experiment has run for that much longer than at the last one.
    private static let growth = 0.03

    /// - Parameters:
    ///   - last: the time of the newest point; nil without any.
    ///   - start: when the experiment started.
    package static func isDue(
        lastMicroseconds last: Int64?, startMicroseconds start: Int64, nowMicroseconds now: Int64
    ) -> Bool {
        guard let last else { return true }
        return now - last >= max(leastMicroseconds, Int64(Double(last - start) * growth))
    }

    /// The points that must go so that there is room for others: every second one, and never the newest.
    ///
    /// - Parameter times: of all points, in order.
    package static func surplus(_ times: [Int64]) -> [Int64] {
        guard times.count > limit else { return [] }
        return times.dropLast().enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    }
}

package import HearthWire

/// What devices reported about one version of a model, added up over a period. It contains no ids.
package struct HealthCounts: Codable, Sendable, Equatable {
    /// The most codes of one kind; all others count as `other`.
    package static let codeLimit = 20
    package static let otherCode = "other"
    /// How long the periods are, in minutes, and for how many minutes they are kept before they become part of the next
    /// longer one; the last ones are removed.
    package static let periods: [(minutes: Int64, kept: Int64)] = [(1, 120), (60, 3 * 1440), (1440, 90 * 1440)]

    package var reports: Int64 = 0
    package var installed: Int64 = 0
    package var rejected: Int64 = 0
    package var loads: Int64 = 0
    package var runs: Int64 = 0
    package var failedRuns: Int64 = 0
    package var loadFailures: [String: Int64] = [:]
    package var crashes: [String: Int64] = [:]
    /// By the number of the class (`TimeHistogram`).
    package var loadTimes: [Int: Int64] = [:]
    package var runTimes: [Int: Int64] = [:]

    package init() {}

    /// One report.
    package init(_ health: ModelHealth) {
        reports = 1
        installed = health.installed ?? 0
        rejected = health.rejected ?? 0
        loads = health.loads ?? 0
        runs = health.runs ?? 0
        failedRuns = health.failedRuns ?? 0
        loadFailures = (health.loadFailures ?? [:]).filter { $0.value > 0 }
        crashes = (health.crashes ?? [:]).filter { $0.value > 0 }
        for one in health.loadTimes?.classes ?? [] { loadTimes[one.index] = one.count }
        for one in health.runTimes?.classes ?? [] { runTimes[one.index] = one.count }
    }

    package mutating func add(_ other: HealthCounts) {
        reports = Self.sum(reports, other.reports)
        installed = Self.sum(installed, other.installed)
        rejected = Self.sum(rejected, other.rejected)
        loads = Self.sum(loads, other.loads)
        runs = Self.sum(runs, other.runs)
        failedRuns = Self.sum(failedRuns, other.failedRuns)
        Self.add(other.loadFailures, to: &loadFailures)
        Self.add(other.crashes, to: &crashes)
        loadTimes.merge(other.loadTimes, uniquingKeysWith: Self.sum)
        runTimes.merge(other.runTimes, uniquingKeysWith: Self.sum)
    }

    /// Devices choose the codes, so their number is bounded.
    private static func add(_ codes: [String: Int64], to known: inout [String: Int64]) {
        for (code, count) in codes.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            let places = codeLimit + (known[otherCode] == nil ? 0 : 1)
            let hasPlace = code == otherCode || known[code] != nil || known.count < places
            known[hasPlace ? code : otherCode, default: 0] = sum(known[hasPlace ? code : otherCode] ?? 0, count)
        }
    }

    private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
        let (sum, isTooLarge) = left.addingReportingOverflow(right)
        return isTooLarge ? .max : sum
    }
}

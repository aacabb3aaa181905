import Glibc
import HearthExperiments

/// Compares how long a run takes in the version's arm and in the baseline. May be asked after every observation.
///
/// Each device contributes one value for each share of the rollout, the mean of the logarithms of the times of one report,
/// so that a device with many runs does not count more. Only values of the same hour are compared, of devices that entered
/// at the same share: what changes the times of all devices, such as an update of the app, changes both arms. The
/// difference is the mean over the cells, weighted by n m / (n + m) for n and m values. Its variance is that of the
/// devices' parts, since a device contributes to several cells (Liang and Zeger, "Longitudinal data analysis using
/// generalized linear models", Biometrika 1986). The test is that of experiments (`SequentialTest`).
///
/// A device of the version's arm counts whether it took the version or not, because it is not by chance which devices do.
/// So the difference is divided by the share of the values that are of the version (Bloom, "Accounting for no-shows in
/// experimental evaluation designs", Evaluation Review 1984).
package struct TimeTest: Sendable, Hashable, Codable {
    /// What a device has added: its weighted sum of differences, and its weight in the version's arm.
    struct Part: Sendable, Hashable {
        var sum: Float = 0
        var weight: Float = 0
        /// The shares, by number, at which its first report was left out, and at which its value was taken.
        var skippedStage: UInt8?
        var givenStage: UInt8?
    }

    /// A value of the present hour.
    private struct Value: Sendable, Hashable, Codable {
        var device: UInt64
        var arm: Arm
        var value: Double
        var isOfVersion: Bool
    }

    package let limit: GuardLimit
    /// Of the present hour, by the number of the share at which the device entered.
    private var cells: [UInt8: [Value]] = [:]
    /// Values in compared cells, by arm.
    private var counts = [0, 0]
    /// The weighted sum of the values of the version's arm minus the mean of the baseline, its weight, and the weight of the values
    /// of the version.
    private var sum = 0.0
    private var weight = 0.0
    private var versionWeight = 0.0
    /// Sums over devices: of the squares of their sums, of sum times weight, and of the squares of their weights.
    private var squares = [0.0, 0.0, 0.0]

    /// Values per arm before any verdict, because the test is asymptotic.
    package static let burnIn = 200
    /// A factor of a thousand. What devices report may be anything.
    private static let largestLogRatio = log(1000.0)
    /// The least share of values of the version.
    private static let leastShare = 0.2

    package init(_ limit: GuardLimit) { self.limit = limit }

    package var devices: [Int] { counts }

    /// The share of the values in the version's arm that are of the version, by weight.
    private var versionShare: Double { weight > 0 ? versionWeight / weight : 0 }

    /// The factor by which a run takes longer with the version; nil without data.
    package var ratio: Double? {
        guard weight > 0, versionShare >= Self.leastShare else { return nil }
        return exp(min(Self.largestLogRatio, max(-Self.largestLogRatio, sum / weight / versionShare)))
    }

    /// The always-valid interval of the ratio, with the guard's error rate; nil before the burn-in is over. The guard stops
    /// the rollout exactly when all of it is above what the limit tolerates.
    package var ratioInterval: ClosedRange<Double>? {
        guard let difference = difference(beyond: 1) else { return nil }
        let test = SequentialTest(errorRate: limit.errorRate, plannedSize: 2 * Self.burnIn)
        let interval = test.interval(difference)
        let largest = Self.largestLogRatio
        let bounds = [interval.lowerBound, interval.upperBound].map {
            exp(min(largest, max(-largest, $0 / versionShare)))
        }
        return bounds[0]...bounds[1]
    }

    /// - Parameter logMicroseconds: the mean natural logarithm of the device's times, in microseconds.
    mutating func add(_ device: UInt64, _ arm: Arm, enteredAt stage: UInt8, isOfVersion: Bool, logMicroseconds: Double)
    {
        cells[stage, default: []].append(
            Value(device: device, arm: arm, value: logMicroseconds, isOfVersion: isOfVersion))
    }

    /// Ends an hour. Its values count from now on.
    ///
    /// - Parameter devices: those that are watched; the parts of others count as those of further devices.
    mutating func closeHour(_ devices: inout [UInt64: WatchedDevice]) {
        for (_, cell) in cells.sorted(by: { $0.key < $1.key }) {
            let baseline = cell.filter { $0.arm == .baseline }
            let (count, baselineCount) = (Double(cell.count - baseline.count), Double(baseline.count))
            // With a single value of the baseline, nothing says how far it is from the mean.
            guard count > 0, baselineCount > 1 else { continue }
            let mean = baseline.reduce(0) { $0 + $1.value } / baselineCount
            let (part, baselinePart) = (baselineCount / (count + baselineCount), count / (count + baselineCount))
            let correction = (baselineCount / (baselineCount - 1)).squareRoot()
            for each in cell {
                counts[each.arm.rawValue] += 1
                switch each.arm {
                case .version:
                    sum += part * (each.value - mean)
                    weight += part
                    if each.isOfVersion { versionWeight += part }
                    add(part * (each.value - mean), part, of: each.device, &devices)
                case .baseline: add(-baselinePart * correction * (each.value - mean), 0, of: each.device, &devices)
                }
            }
        }
        cells.removeAll(keepingCapacity: true)
    }

    private mutating func add(
        _ sum: Double, _ weight: Double, of device: UInt64, _ devices: inout [UInt64: WatchedDevice]
    ) {
        let old = devices[device]?.time ?? Part()
        var new = old
        new.sum += Float(sum)
        new.weight += Float(weight)
        devices[device]?.time = new
        squares[0] += Self.product(new.sum, new.sum) - Self.product(old.sum, old.sum)
        squares[1] += Self.product(new.sum, new.weight) - Self.product(old.sum, old.weight)
        squares[2] += Self.product(new.weight, new.weight) - Self.product(old.weight, old.weight)
    }

    private static func product(_ one: Float, _ other: Float) -> Double { Double(one) * Double(other) }

    package var verdict: GuardVerdict {
        if let over = difference(beyond: limit.tolerated) {
            let test = SequentialTest(errorRate: limit.errorRate, plannedSize: 2 * Self.burnIn)
            if over.estimate > test.radius(over) { return .violated }
        }
        guard let under = difference(beyond: limit.harmful) else { return .undecided }
        let test = SequentialTest(errorRate: GuardLimit.missRate, plannedSize: 2 * Self.burnIn)
        return under.estimate < -test.radius(under) ? .satisfied : .undecided
    }

    /// The e-value against "a run takes at most the tolerated time", as a logarithm; 0 without data.
    package var logEvidenceOfExcess: Double {
        logEvidence(beyond: limit.tolerated, errorRate: limit.errorRate) { $0 > 0 }
    }

    /// The e-value against "a run takes the harmful time or longer".
    package var logEvidenceAgainstHarm: Double {
        logEvidence(beyond: limit.harmful, errorRate: GuardLimit.missRate) { $0 < 0 }
    }

    private func logEvidence(beyond factor: Double, errorRate: Double, _ isBeyond: (Double) -> Bool) -> Double {
        guard let difference = difference(beyond: factor), isBeyond(difference.estimate) else { return 0 }
        return -log(SequentialTest(errorRate: errorRate, plannedSize: 2 * Self.burnIn).pValue(difference))
    }

    /// Whether the numbers are as many as there must be, which stored ones may not be.
    var isWhole: Bool { counts.count == 2 && squares.count == 3 && counts.areCounts && sum.isFinite }

    /// How far the version's times are beyond those of the baseline times `factor`; nil before the burn-in is over.
    private func difference(beyond factor: Double) -> SequentialTest.Difference? {
        guard min(counts[0], counts[1]) >= Self.burnIn, versionShare >= Self.leastShare else { return nil }
        let mean = sum / weight
        let variance = (squares[0] - 2 * mean * squares[1] + mean * mean * squares[2]) / (weight * weight)
        guard variance > 0 else { return nil }
        return SequentialTest.Difference(
            estimate: mean - versionShare * log(factor), variance: variance, weight: weight)
    }
}

import Glibc
import HearthExperiments

/// Compares how long a run takes on the devices with the version and with the version below. May be asked after every
/// observation.
///
/// Each device contributes one value, the mean of the logarithms of its first reported times, so that a device with
/// many runs does not count more. The test is that of experiments (`SequentialTest`).
package struct TimeTest: Sendable, Hashable, Codable {
    package let limit: GuardLimit
    private var counts = [0, 0]
    private var sums = [0.0, 0.0]
    private var squares = [0.0, 0.0]

    /// Devices per arm before any verdict, because the test is asymptotic.
    package static let burnIn = 200

    package init(_ limit: GuardLimit) { self.limit = limit }

    package var devices: [Int] { counts }

    /// The factor by which a run takes longer with the version: the ratio of the geometric means; nil without data.
    package var ratio: Double? {
        guard counts[0] > 0, counts[1] > 0 else { return nil }
        return exp(sums[0] / Double(counts[0]) - sums[1] / Double(counts[1]))
    }

    /// The always-valid interval of the ratio, with the guard's error rate; nil before the burn-in is over. The guard stops
    /// the rollout exactly when all of it is above what the limit tolerates.
    package var ratioInterval: ClosedRange<Double>? {
        guard min(counts[0], counts[1]) >= Self.burnIn, let difference = difference(beyond: 1) else { return nil }
        let test = SequentialTest(errorRate: limit.errorRate, plannedSize: 2 * Self.burnIn)
        let interval = test.interval(difference)
        return exp(interval.lowerBound)...exp(interval.upperBound)
    }

    /// - Parameter logMicroseconds: the mean natural logarithm of the device's times, in microseconds.
    package mutating func add(_ arm: Arm, logMicroseconds: Double) {
        counts[arm.rawValue] += 1
        sums[arm.rawValue] += logMicroseconds
        squares[arm.rawValue] += logMicroseconds * logMicroseconds
    }

    package var verdict: GuardVerdict {
        guard min(counts[0], counts[1]) >= Self.burnIn else { return .undecided }
        if let over = difference(beyond: limit.tolerated) {
            let test = SequentialTest(errorRate: limit.errorRate, plannedSize: 2 * Self.burnIn)
            if over.estimate > test.radius(over) { return .violated }
        }
        guard let under = difference(beyond: limit.harmful) else { return .undecided }
        let test = SequentialTest(errorRate: GuardLimit.missRate, plannedSize: 2 * Self.burnIn)
        return under.estimate < -test.radius(under) ? .satisfied : .undecided
    }

    /// How far the version's mean is beyond that of the version below times `factor`.
    private func difference(beyond factor: Double) -> SequentialTest.Difference? {
        let shift = log(factor)
        let count = Double(counts[0])
        let shifted = Sample(
            count: counts[0], sum: sums[0] - shift * count,
            sumOfSquares: squares[0] - 2 * shift * sums[0] + shift * shift * count)
        let below = Sample(count: counts[1], sum: sums[1], sumOfSquares: squares[1])
        return SequentialTest.Difference(shifted, over: below)
    }
}

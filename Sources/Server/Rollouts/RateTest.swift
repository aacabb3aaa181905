import Glibc

/// Compares how many devices fail with the version and with the version below. May be asked after every observation.
///
/// A device fails once at most. Each time that it is seen before it has failed is a trial. The first trials of devices
/// in a period make a cell, and all others of the period another. A period ends after a time, or after so many trials,
/// and never because of a failure. If the version does no harm, a failure of a cell hits
/// the version's devices with the chance of their share of the trials. The likelihood ratios of all cells multiply to an
/// e-process (the safe logrank test: ter Schure, Pérez-Ortiz, Ly and Grünwald, "The Anytime-Valid Logrank Test", New
/// England Journal of Statistics in Data Science 2024), here mixed over several hazard ratios. An e-process exceeds 1/α
/// with a chance of at most α, over all looks together.
///
/// The second test compares the share of the version's devices that failed with a fixed share. It is the likelihood
/// ratio of Wald (1945), mixed over several larger shares. A device that has not failed yet counts as sound; its later
/// failure only raises the ratio, so the test holds for late failures too.
package struct RateTest: Sendable, Hashable, Codable {
    /// Trials and failures of a period, by arm.
    private struct Cell: Sendable, Hashable, Codable {
        var trials = [0, 0]
        var failures = [0, 0]

        var count: Int { trials[0] + trials[1] }

        mutating func add(_ arm: Arm, _ hasFailed: Bool) {
            trials[arm.rawValue] += 1
            if hasFailed { failures[arm.rawValue] += 1 }
        }
    }

    private struct Alternative {
        let value: Double
        let weight: Double
    }

    private static let hazardRatios = [
        Alternative(value: 1.5, weight: 0.1), Alternative(value: 3, weight: 0.2), Alternative(value: 10, weight: 0.4),
        Alternative(value: 30, weight: 0.2), Alternative(value: 100, weight: 0.1),
    ]

    /// So many trials end a period early, so that a large fleet finds harm within seconds.
    private static let trialsPerPeriod = 1024

    package let limit: GuardLimit
    /// Devices, by arm, that were seen at least once.
    package private(set) var devices = [0, 0]
    /// Devices, by arm, that failed.
    package private(set) var failed = [0, 0]
    /// Of the present period: first trials, and all others.
    private var first = Cell()
    private var later = Cell()
    /// The logarithms of the products of the closed periods, by hazard ratio.
    private var logRatios = [Double](repeating: 0, count: RateTest.hazardRatios.count)

    package init(_ limit: GuardLimit) { self.limit = limit }

    /// Adds a trial.
    ///
    /// - Parameters:
    ///   - isFirst: whether the device was never seen before, on either version. Some devices fail with every version,
    ///     and do so at once.
    ///   - isNew: whether it is the device's first trial in this arm.
    package mutating func add(_ arm: Arm, isFirst: Bool, isNew: Bool, failed hasFailed: Bool) {
        if isNew { devices[arm.rawValue] += 1 }
        if hasFailed { failed[arm.rawValue] += 1 }
        if isFirst { first.add(arm, hasFailed) } else { later.add(arm, hasFailed) }
        if first.count + later.count >= Self.trialsPerPeriod { closePeriod() }
    }

    /// Ends a period. Its failures count from now on in the comparison.
    package mutating func closePeriod() {
        for cell in [first, later] {
            let failures = cell.failures[0] + cell.failures[1]
            guard failures > 0 else { continue }
            let share = Double(cell.trials[0]) / Double(cell.trials[0] + cell.trials[1])
            for (index, ratio) in Self.hazardRatios.enumerated() {
                logRatios[index] +=
                    Double(cell.failures[0]) * log(ratio.value)
                    - Double(failures) * log(ratio.value * share + 1 - share)
            }
        }
        first = Cell()
        later = Cell()
    }

    /// The e-value against "the version's devices fail no more often than those on the version below".
    package var logEvidenceOfDifference: Double {
        Self.mixture(zip(logRatios, Self.hazardRatios).map { ($0, $1.weight) })
    }

    /// The e-value against "at most the tolerated share of the version's devices fails".
    package var logEvidenceOfExcess: Double { logEvidenceOfExcess(failed: failed[0]) }

    /// Whether the version would do more harm than tolerated if `pending` more of its devices turned out to have failed.
    package func wouldExceed(pending: Int) -> Bool {
        pending > 0 && logEvidenceOfExcess(failed: failed[0] + pending) >= -log(limit.errorRate)
    }

    private func logEvidenceOfExcess(failed count: Int) -> Double {
        let shares = [
            Alternative(value: limit.tolerated + limit.harmful, weight: 0.5),
            Alternative(value: limit.tolerated * 3, weight: 0.15),
            Alternative(value: limit.tolerated + limit.harmful * 3, weight: 0.2),
            Alternative(value: 0.5, weight: 0.15),
        ]
        return Self.mixture(
            shares.map {
                (
                    Self.logRatio(
                        failed: count, of: max(count, devices[0]), share: $0.value, against: limit.tolerated), $0.weight
                )
            })
    }

    /// - Parameters:
    ///   - counted: the version's devices that were watched long enough to show a failure.
    ///   - pending: those of them that may turn out to have failed.
    package func verdict(counted: Int, pending: Int = 0) -> GuardVerdict {
        let threshold = -log(limit.errorRate)
        if logEvidenceOfDifference >= threshold, logEvidenceOfExcess >= threshold { return .violated }
        let usual = max(limit.tolerated, Double(failed[1]) / Double(max(1, devices[1])))
        let harm = Self.logRatio(
            failed: failed[0] + pending, of: max(counted, failed[0] + pending),
            share: min(0.99, usual + limit.harmful), against: min(0.98, usual))
        return harm <= log(GuardLimit.missRate) ? .satisfied : .undecided
    }

    private static func logRatio(failed: Int, of devices: Int, share: Double, against usual: Double) -> Double {
        Double(failed) * log(share / usual) + Double(devices - failed) * log((1 - share) / (1 - usual))
    }

    /// The logarithm of the weighted mean, without overflow.
    private static func mixture(_ parts: [(log: Double, weight: Double)]) -> Double {
        let largest = parts.map(\.log).max() ?? 0
        return largest + log(parts.reduce(0) { $0 + $1.weight * exp($1.log - largest) })
    }
}

import Glibc

/// Compares how many devices fail in the version's arm and in the baseline. May be asked after every observation.
///
/// A device fails once at most. Each time that it is seen before it has failed is a trial. Trials of one period, of devices
/// that entered the watch at the same share, make a cell. A period ends after a time, or after so many trials, and never
/// because of a failure. The draw decides about the arm and nothing else does, so if the version does no harm, a failure of
/// a cell hits the version's arm with the chance of its share of the trials. The likelihood ratios of all cells multiply to
/// an e-process (the safe logrank test: ter Schure, Pérez-Ortiz, Ly and Grünwald, "The Anytime-Valid Logrank Test", New
/// England Journal of Statistics in Data Science 2024), here mixed over several hazard ratios. An e-process exceeds 1/α
/// with a chance of at most α, over all looks together. There is one for each `Window`, and their mean counts: most harm
/// shows soon after a device could take the version, while little happens by chance in that time.
///
/// The second test compares the share of the devices that failed with the version with a fixed share. It is the likelihood
/// ratio of Wald (1945), mixed over several larger shares. A device that has not failed yet counts as sound; its later
/// failure only raises the ratio, so the test holds for late failures too.
package struct RateTest: Sendable, Hashable, Codable {
    /// A trial of a device.
    struct Trial {
        var arm: Arm
        /// The share at which the device entered, by number.
        var stage: UInt8
        /// The narrowest window that it is in.
        var window: Window
        /// Whether it is about the version.
        var isOfVersion: Bool
        /// Whether it is the device's first trial in this arm; with the version, in the version's arm.
        var isNew: Bool
    }

    /// The trials that a test looks at, each window a part of the one before.
    enum Window: Int, Sendable, CaseIterable {
        case all
        /// Trials soon after the device could take the version, or could have taken it if the draw had given it that.
        case fresh
        /// Of these, the first one of each device.
        case first
    }

    /// What is known of a window.
    fileprivate struct Part: Sendable, Hashable, Codable {
        /// Of the present period, by the share at which the devices entered.
        var cells: [UInt8: Cell] = [:]
        /// The logarithms of the products of the closed periods, by hazard ratio.
        var logRatios = [Double](repeating: 0, count: RateTest.hazardRatios.count)
        var harm = HarmTest()
    }

    /// Trials and failures of a period, by arm.
    fileprivate struct Cell: Sendable, Hashable, Codable {
        var trials = [0, 0]
        var failures = [0, 0]
    }

    fileprivate struct Alternative {
        let value: Double
        let weight: Double
    }

    fileprivate static let hazardRatios = [
        Alternative(value: 1.5, weight: 0.1), Alternative(value: 2.2, weight: 0.15),
        Alternative(value: 4, weight: 0.15),
        Alternative(value: 12, weight: 0.25), Alternative(value: 40, weight: 0.2),
        Alternative(value: 120, weight: 0.15),
    ]

    /// So many trials end a period early, so that a large fleet finds harm within seconds.
    private static let trialsPerPeriod = 1024

    package let limit: GuardLimit
    /// Devices that were seen at least once with the version, and devices that were seen with the baseline.
    package private(set) var devices = [0, 0]
    /// Devices that failed with the version, and devices that failed with the baseline.
    package private(set) var failed = [0, 0]
    /// Devices in the version's arm that failed, with whatever version.
    package private(set) var failedInArm = 0
    private var trials = 0
    /// By window.
    private var parts: [Part]
    /// Whether harm shows soon after a device takes the version.
    private let showsSoon: Bool

    /// - Parameter showsSoon: whether a device that the version fails on shows that within the time in which it is fresh.
    package init(_ limit: GuardLimit, showsSoon: Bool = true) {
        self.limit = limit
        self.showsSoon = showsSoon
        parts = Self.windows(showsSoon).map { _ in Part() }
    }

    private static func windows(_ showsSoon: Bool) -> [Window] { showsSoon ? Window.allCases : [.all] }

    /// Whether the numbers are as many as there must be, which stored ones may not be.
    var isWhole: Bool {
        parts.count == Self.windows(showsSoon).count && parts.allSatisfy(\.isWhole)
            && [devices, failed].allSatisfy { $0.count == 2 && $0.areCounts } && [failedInArm, trials].areCounts
    }

    /// - Parameter ratios: how many devices the version's arm has for each one of the baseline, of those that entered at the same
    ///   share, by window; nil if the device did not fail.
    mutating func add(_ trial: Trial, failedAmong ratios: [Double]?) {
        let arm = trial.arm.rawValue
        if trial.isNew { devices[arm] += 1 }
        for index in 0...min(trial.window.rawValue, parts.count - 1) {
            parts[index].cells[trial.stage, default: Cell()].trials[arm] += 1
            guard let ratios else { continue }
            parts[index].cells[trial.stage, default: Cell()].failures[arm] += 1
            switch trial.arm {
            case .version: parts[index].harm.failVersion()
            case .baseline: parts[index].harm.failBaseline(ratio: ratios[index])
            }
        }
        if ratios != nil { fail(trial) }
        trials += 1
        if trials >= Self.trialsPerPeriod { closePeriod() }
    }

    private mutating func fail(_ trial: Trial) {
        if trial.arm == .version { failedInArm += 1 }
        if trial.arm == .baseline || trial.isOfVersion { failed[trial.arm.rawValue] += 1 }
    }

    /// Ends a period. Its failures count from now on in the comparison.
    package mutating func closePeriod() {
        for index in parts.indices { parts[index].close() }
        trials = 0
    }

    /// The e-value against "the devices of the version's arm fail no more often than those of the baseline".
    package var logEvidenceOfDifference: Double {
        logMean(parts.map { ($0.logEvidence, 1 / Double(parts.count)) })
    }

    /// The e-value against "the version fails on at most the tolerated share of the devices that take it".
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
        let sound = Double(max(count, devices[0]) - count)
        return logMean(
            shares.map { share in
                (
                    Double(count) * log(share.value / limit.tolerated)
                        + sound * log((1 - share.value) / (1 - limit.tolerated)), share.weight
                )
            })
    }

    /// The version's devices that were watched long enough to show a failure.
    package struct Counted: Sendable, Hashable {
        package var all = 0
        /// Those of them that took the version soon after they could.
        package var prompt = 0
        /// Devices that may turn out to have failed.
        package var pending = 0

        package init(all: Int = 0, prompt: Int = 0, pending: Int = 0) {
            self.all = all
            self.prompt = prompt
            self.pending = pending
        }
    }

    /// The e-value against "the version fails on an additional share of `harmful` or more of its devices".
    package func logEvidenceAgainstHarm(_ counted: Counted) -> Double {
        let all = logEvidence(.all, counted.all, counted)
        guard showsSoon else { return all }
        return logMean([(all, 0.5), (logEvidence(.fresh, counted.prompt, counted), 0.5)])
    }

    private func logEvidence(_ window: Window, _ devices: Int, _ counted: Counted) -> Double {
        parts[window.rawValue].harm.logEvidence(against: limit.harmful, of: devices, pending: counted.pending)
    }

    /// Whether what was seen is much more likely if the version does the harm that matters than if it does none. Nothing is
    /// proven, but the share must not grow by itself.
    package func speaksForHarm(_ counted: Counted) -> Bool {
        let looked = showsSoon ? parts.dropFirst().map { ($0, counted.prompt) } : parts.map { ($0, counted.all) }
        return looked.contains { $0.harm.logLikelihood(of: limit.harmful, on: $1) >= log(20) }
    }

    package func verdict(_ counted: Counted) -> GuardVerdict {
        let threshold = -log(limit.errorRate)
        if logEvidenceOfDifference >= threshold, logEvidenceOfExcess >= threshold { return .violated }
        return isHarmRuledOut(counted) ? .satisfied : .undecided
    }

    private func isHarmRuledOut(_ counted: Counted) -> Bool {
        // Harm that shows late must not be overlooked because nothing showed at first.
        logEvidenceAgainstHarm(counted) >= -log(GuardLimit.missRate) && logEvidence(.all, counted.all, counted) >= 0
    }

    /// How many devices must have had the version for long enough to rule harm out if none of them fails any more, and
    /// as large a share of them takes it soon as now; nil if more than `most` are needed.
    package func devicesNeeded(_ counted: Counted, atMost most: Int = 1 << 20) -> Int? {
        let promptShare = counted.all > 0 ? Double(counted.prompt) / Double(counted.all) : 1
        func isEnough(_ count: Int) -> Bool {
            isHarmRuledOut(
                Counted(all: count, prompt: Int(Double(count) * promptShare), pending: counted.pending))
        }
        guard isEnough(most) else { return nil }
        var (low, high) = (0, most)
        while low < high {
            let middle = (low + high) / 2
            if isEnough(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension RateTest.Part {
    fileprivate mutating func close() {
        // In one order, so that the sums do not depend on it.
        for (_, cell) in cells.sorted(by: { $0.key < $1.key }) {
            let failures = cell.failures[0] + cell.failures[1]
            guard failures > 0 else { continue }
            let share = Double(cell.trials[0]) / Double(cell.trials[0] + cell.trials[1])
            for (index, ratio) in RateTest.hazardRatios.enumerated() {
                logRatios[index] +=
                    Double(cell.failures[0]) * log(ratio.value)
                    - Double(failures) * log(ratio.value * share + 1 - share)
            }
        }
        cells.removeAll(keepingCapacity: true)
    }

    fileprivate var isWhole: Bool {
        logRatios.count == RateTest.hazardRatios.count && harm.isWhole
            && cells.values.allSatisfy { cell in
                [cell.trials, cell.failures].allSatisfy { $0.count == 2 && $0.areCounts }
            }
    }

    fileprivate var logEvidence: Double { logMean(zip(logRatios, RateTest.hazardRatios).map { ($0, $1.weight) }) }
}

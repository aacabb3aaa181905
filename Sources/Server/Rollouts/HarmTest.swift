import Glibc

/// Rules out that a version fails on a certain additional share of the devices that take it. May be asked after every
/// observation, and holds whatever the devices do by chance.
///
/// Let F be the failures of the version's arm, and let each failure of the baseline happen while the arms have r times as many
/// devices. If the version fails on the share h of n devices that took it, then for every u > 0
/// exp(-u F) · Π (1 + r (1 - exp(-u))) · exp((1 - exp(-u)) h n) has an expectation of at most one at all times: the chance
/// that a failure by chance hits the version's arm rather than the baseline cancels, hour by hour, whatever it is. So the
/// mean over several u is an e-process against "the version does that harm or more" (Ville's inequality).
struct HarmTest: Sendable, Hashable, Codable {
    private static let rates: [(value: Double, weight: Double)] = [
        (4, 0.45), (2, 0.25), (0.9, 0.1), (0.4, 0.1), (0.12, 0.1),
    ]

    private var failures = 0
    /// How many failures of the version's arm those of the baseline stand for, and the variance of that number.
    private var expected = 0.0
    private var variance = 0.0
    /// By rate: the logarithm of the product over the failures of the baseline.
    private var baseline = [Double](repeating: 0, count: HarmTest.rates.count)

    private enum CodingKeys: String, CodingKey {
        case failures, expected, variance
        // As servers have stored it.
        case baseline = "below"
    }

    /// Whether the numbers are as many as there must be, which stored ones may not be.
    var isWhole: Bool { baseline.count == Self.rates.count && [failures].areCounts }

    mutating func failVersion() { failures += 1 }

    /// - Parameter ratio: how many devices the version's arm has for each one of the baseline.
    mutating func failBaseline(ratio: Double) {
        expected += ratio
        variance += ratio * ratio
        for (index, rate) in Self.rates.enumerated() { baseline[index] += log1p(ratio * -expm1(-rate.value)) }
    }

    /// The logarithm of the e-value.
    ///
    /// - Parameters:
    ///   - harm: the additional share of failing devices, 0 to 1.
    ///   - devices: those that took the version long enough ago.
    ///   - pending: devices that may turn out to have failed.
    func logEvidence(against harm: Double, of devices: Int, pending: Int = 0) -> Double {
        let count = Double(failures + pending)
        return logMean(
            zip(Self.rates, baseline).map { rate, baseline in
                (baseline - rate.value * count - expm1(-rate.value) * harm * Double(devices), rate.weight)
            })
    }

    /// The logarithm of how much more likely the failures are if the version does that harm than if it does none, by the
    /// normal distribution. No test: it is not right at all times together.
    func logLikelihood(of harm: Double, on devices: Int) -> Double {
        let count = harm * Double(devices)
        guard count > 0 else { return 0 }
        return count * (Double(failures) - expected - count / 2) / max(variance + Double(failures), count)
    }
}

/// The logarithm of the weighted mean of numbers given by their logarithms, without overflow.
func logMean(_ parts: [(log: Double, weight: Double)]) -> Double {
    let largest = parts.map(\.log).max() ?? 0
    return largest + log(parts.reduce(0) { $0 + $1.weight * exp($1.log - largest) })
}

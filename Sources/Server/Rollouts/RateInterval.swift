import Glibc
import HearthExperiments

/// The always-valid bounds of the share of devices that fail.
///
/// For each share, the likelihood ratio of all larger shares together, with equal weights, is an e-process, and so is
/// that of all smaller ones. A bound excludes the shares whose ratio reaches the inverse of its error rate (Robbins,
/// "Statistical methods related to the law of the iterated logarithm", Annals of Mathematical Statistics 1970). So it
/// may be looked at after every device. It is exact, not asymptotic.
///
/// The two bounds are separate because devices fail late. A device that has not failed yet counts as sound for the lower
/// bound, which stays right whatever the device does later. For the upper bound it may count only after it was watched
/// for long enough.
enum RateInterval {
    /// Enough for 12 digits.
    private static let steps = 40

    /// - Parameter errorRate: of this bound alone.
    static func lower(failed: Int, of devices: Int, errorRate: Double) -> Double {
        guard failed > 0 else { return 0 }
        let test = Test(failed, devices, errorRate)
        // The excluded shares are those below the bound.
        return bisect(0, Double(failed) / Double(devices)) { share in
            !test.excludes(share, alternatives: 1 - share, weight: 1 - test.posterior.cumulative(share))
        }
    }

    /// - Parameter errorRate: of this bound alone.
    static func upper(failed: Int, of devices: Int, errorRate: Double) -> Double {
        guard failed < devices else { return 1 }
        let test = Test(failed, devices, errorRate)
        return bisect(Double(failed) / Double(devices), 1) { share in
            test.excludes(share, alternatives: share, weight: test.posterior.cumulative(share))
        }
    }

    /// Where `isAbove` changes from false to true.
    private static func bisect(_ low: Double, _ high: Double, isAbove: (Double) -> Bool) -> Double {
        var (low, high) = (low, high)
        for _ in 0..<steps {
            let middle = (low + high) / 2
            if isAbove(middle) { high = middle } else { low = middle }
        }
        return (low + high) / 2
    }

    private struct Test {
        let failed: Double
        let sound: Double
        let threshold: Double
        /// Of the share, if all shares have the same weight.
        let posterior: Posterior
        /// The logarithm of the mean likelihood of all shares.
        let logMean: Double

        init(_ failed: Int, _ devices: Int, _ errorRate: Double) {
            self.failed = Double(failed)
            sound = Double(devices - failed)
            threshold = -log(errorRate)
            posterior = .beta(alpha: self.failed + 1, beta: sound + 1)
            logMean = lgamma(self.failed + 1) + lgamma(sound + 1) - lgamma(Double(devices) + 2)
        }

        /// - Parameters:
        ///   - alternatives: the length of the interval of the alternatives.
        ///   - weight: the part of the posterior in that interval.
        func excludes(_ share: Double, alternatives: Double, weight: Double) -> Bool {
            guard weight > 0 else { return false }
            let likelihood = failed * log(share) + sound * log(1 - share)
            return logMean + log(weight / alternatives) - likelihood >= threshold
        }
    }
}

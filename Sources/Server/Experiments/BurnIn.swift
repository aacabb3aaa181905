/// The least data for any decision, because the test is asymptotic.
package enum BurnIn {
    /// Installations in each of the two samples.
    package static let count = 200
    /// Installations in each of the two samples whose total is not 0. Where most totals are 0 and a few are large, a
    /// sample's variance is known only from those few. While there are fewer than 50, the intervals of variants that truly
    /// differ miss the difference still more often. A larger number would make each decision wait.
    package static let values = 50
    /// Conversions in both samples together, and installations without one.
    package static let conversions = 20

    /// What the comparison of a variant with the control still needs before it can decide anything.
    package struct Shortage: Sendable, Hashable {
        /// What there is too little of.
        package enum Kind: String, Sendable, Hashable {
            /// Installations of one variant, for an average those that have a value.
            case installations
            /// Installations of one variant whose total is not 0.
            case nonzeroTotals
            /// Installations that converted, of the variant and the control together.
            case conversions
            /// Installations that did not convert, of the variant and the control together.
            case nonConversions
        }

        package let kind: Kind
        /// Of the two samples, the index of the one that is too small; nil if both count together.
        package let sample: Int?
        package let needed: Int
        package let found: Int
    }

    /// - Returns: empty if the samples suffice.
    static func shortages(_ sample: Sample, _ control: Sample, _ kind: Metric.Kind) -> [Shortage] {
        let samples = [control, sample]
        func each(_ shortage: Shortage.Kind, _ needed: Int, _ found: (Sample) -> Int) -> [Shortage] {
            samples.enumerated().filter { found($1) < needed }.map {
                Shortage(kind: shortage, sample: $0, needed: needed, found: found($1))
            }
        }
        var all = each(.installations, count, \.count)
        switch kind {
        case .average: break
        case .total: all += each(.nonzeroTotals, values, \.nonzero)
        case .conversion:
            // Rare conversions and rare failures to convert are equally far from a normal distribution.
            let found = Int(sample.sum + control.sum)
            let others = sample.count + control.count - found
            if found < conversions {
                all.append(Shortage(kind: .conversions, sample: nil, needed: conversions, found: found))
            } else if others < conversions, all.isEmpty {
                all.append(Shortage(kind: .nonConversions, sample: nil, needed: conversions, found: others))
            }
        }
        return all
    }
}

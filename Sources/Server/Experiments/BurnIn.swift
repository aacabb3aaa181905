/// The least data for any decision, because the test is asymptotic.
package enum BurnIn {
    /// Installations in each of the two samples.
    package static let count = 200
    /// Installations in each of the two samples whose total is not 0. Where most totals are 0 and a few are large, a
    /// sample's variance is known only from those few. While there are fewer than 50, the intervals of variants that truly
    /// differ miss the difference still more often. A larger number would make each decision wait.
    package static let values = 50
    /// Where a sample has fewer of them: how many each of the two would have if their shares of such installations were as
    /// the hypothesis says, which is the same for a goal. A variant that stops all purchases never has 50, and must not
    /// decide by that whether it counts. While the hypothesis holds, both samples together say how well the variance is
    /// known.
    package static let expectedValues = 100
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
            /// Installations of one variant whose total would not be 0, if the shares of the variant and the control
            /// were as the hypothesis says: how many the one with fewer would have. Instead of `nonzeroTotals`.
            case expectedNonzeroTotals
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

    /// - Parameter factor: the hypothesis is that the sample's mean is the control's times this.
    /// - Returns: empty if the samples suffice.
    static func shortages(
        _ sample: Sample, _ control: Sample, _ kind: Metric.Kind, times factor: Double = 1
    ) -> [Shortage] {
        let samples = [control, sample]
        func each(_ shortage: Shortage.Kind, _ needed: Int, _ found: (Sample) -> Int) -> [Shortage] {
            samples.enumerated().filter { found($1) < needed }.map {
                Shortage(kind: shortage, sample: $0, needed: needed, found: found($1))
            }
        }
        var all = each(.installations, count, \.count)
        switch kind {
        case .average: break
        case .total:
            let few = each(.nonzeroTotals, values, \.nonzero)
            let expected = expectedValues(sample, control, times: factor)
            if !few.isEmpty, expected < Double(expectedValues) {
                let found = Int(expected)
                all += few
                all.append(
                    Shortage(kind: .expectedNonzeroTotals, sample: nil, needed: expectedValues, found: found))
            }
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

    /// How many values of the sample that has fewer are not 0, if the sample's share of them is the control's times `factor`.
    private static func expectedValues(_ sample: Sample, _ control: Sample, times factor: Double) -> Double {
        let factor = max(0, factor)
        let weight = factor * Double(sample.count) + Double(control.count)
        guard weight > 0 else { return 0 }
        let share = Double(sample.nonzero + control.nonzero) / weight
        return share * min(factor * Double(sample.count), Double(control.count))
    }
}

import HearthCampaignInput
import HearthExperiments

/// Values that come in some time after the exposure, in parts, as totals of devices do.
struct LateValues {
    private struct Installation {
        let variant: Int
        var value = 0.0
    }

    private let parts: Int
    /// In batches.
    private let longest: Int
    private var installations: [Installation] = []
    /// By batches from now: whose value grows, and by what.
    private var waiting: [[(installation: Int, part: Double)]]

    init(parts: Int, longest: Int) {
        self.parts = parts
        self.longest = longest
        waiting = Array(repeating: [], count: longest + 1)
    }

    /// One installation is exposed, and will have that value.
    mutating func take(_ value: Double, of variant: Int, _ samples: inout [Sample], _ random: inout SplitMix) {
        guard parts > 0 else { return samples[variant].add(value) }
        samples[variant].add(0)
        guard value != 0 else { return }
        installations.append(Installation(variant: variant))
        for _ in 0..<parts {
            let delay = Int(random.next() % UInt64(longest + 1))
            waiting[delay].append((installations.count - 1, value / Double(parts)))
        }
    }

    /// What is due comes in.
    mutating func arrive(_ samples: inout [Sample]) {
        let due = waiting.removeFirst()
        waiting.append([])
        for (number, part) in due {
            let old = installations[number].value
            let new = old + part
            installations[number].value = new
            if old == 0 { samples[installations[number].variant].nonzero += 1 }
            samples[installations[number].variant].sum += part
            samples[installations[number].variant].sumOfSquares += new * new - old * old
        }
    }
}

/// Chances of counts among independent trials, exact to about 15 digits.
enum BinomialChance {
    /// What the rest of a distribution weighs when it cannot change a sum any more, beside the largest weight.
    private static let negligible = 1e-20

    /// Each count that has a chance worth counting, with its chance. The weights go from the likeliest count outward, each
    /// from its neighbour, so that no power or factorial can overflow.
    static func counts(of trials: Int, _ chance: Double) -> [(count: Int, chance: Double)] {
        guard trials > 0, chance > 0 else { return [(0, 1)] }
        guard chance < 1 else { return [(trials, 1)] }
        let (middle, odds) = (likeliest(of: trials, chance), chance / (1 - chance))
        var found = [(count: middle, chance: 1.0)]
        var (weight, total) = (1.0, 1.0)
        for count in stride(from: middle, to: 0, by: -1) {
            weight *= Double(count) / (Double(trials - count + 1) * odds)
            guard weight > negligible else { break }
            found.append((count - 1, weight))
            total += weight
        }
        weight = 1
        for count in middle..<trials {
            weight *= Double(trials - count) * odds / Double(count + 1)
            guard weight > negligible else { break }
            found.append((count + 1, weight))
            total += weight
        }
        return found.map { ($0.count, $0.chance / total) }
    }

    /// The chance of at most so many.
    static func atMost(_ most: Int, of trials: Int, _ chance: Double) -> Double {
        guard most >= 0 else { return 0 }
        guard most < trials, chance > 0 else { return 1 }
        guard chance < 1 else { return 0 }
        let (middle, odds) = (likeliest(of: trials, chance), chance / (1 - chance))
        var (weight, total) = (1.0, 1.0)
        var sum = middle <= most ? 1.0 : 0.0
        var count = middle
        while count > 0 {
            weight *= Double(count) / (Double(trials - count + 1) * odds)
            guard weight > negligible else { break }
            count -= 1
            total += weight
            if count <= most { sum += weight }
        }
        (weight, count) = (1, middle)
        while count < trials {
            weight *= Double(trials - count) * odds / Double(count + 1)
            guard weight > negligible else { break }
            count += 1
            total += weight
            if count <= most { sum += weight }
        }
        return sum / total
    }

    private static func likeliest(of trials: Int, _ chance: Double) -> Int {
        min(trials, Int(Double(trials + 1) * chance))
    }
}

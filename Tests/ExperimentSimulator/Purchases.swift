import Foundation
import HearthCampaignInput
import HearthExperiments

/// An experiment over installations that join for a part of the time and buy, once or again and again, at any moment after
/// they joined. A conversion is a purchase of which only the first counts.
struct Purchases: Sendable {
    enum Amount: Sendable {
        case one
        /// By the deviation of the logarithm.
        case logNormal(Double)
        /// By the exponent: the smaller, the larger the largest ones.
        case pareto(Double)

        var mean: Double {
            switch self {
            case .one: 1
            case .logNormal(let deviation): exp(deviation * deviation / 2)
            case .pareto(let exponent): exponent / (exponent - 1)
            }
        }

        func draw(_ random: inout SplitMix) -> Double {
            switch self {
            case .one: 1
            case .logNormal(let deviation): exp(deviation * random.normal())
            case .pareto(let exponent): pow(1 - random.uniform(), -1 / exponent)
            }
        }
    }

    enum Rhythm: Sendable {
        /// At once after joining.
        case once
        /// At once, and then so many times on average over the rest of the whole time.
        case again(Double)
        /// Only after joining, so many times on average over the whole time.
        case steady(Double)
    }

    var name: String
    var kind = Metric.Kind.total
    /// The share of the installations that ever buy.
    var buyers: Double
    var amount = Amount.one
    var rhythm = Rhythm.once
    /// Of the control, where the other variant has 1.
    var weight = 1
    /// The final number of installations of the other variant, without `growth`.
    var size = 10_000
    /// The planned number; nil if it is `size`.
    var plan: Int?
    var growth = 1
    /// The part of the time in which installations join.
    var joining = 1.0
    var days = 60.0
    /// Whether it is looked at after equal ratios of time, from a minute after the start, as values grow; otherwise after
    /// equally many installations.
    var isByTime = false
    /// What the other variant has more of: buyers or purchases, and larger amounts.
    var moreBuyers = 1.0
    var largerAmounts = 1.0

    /// Whether the control never buys.
    var isNewToOther = false
    /// If what they buy is no goal: how much worse the other variant may be.
    var margin: Double?
    /// Whether fewer purchases are better.
    var isLowerBetter = false
    /// Whether the other variant is exactly as much worse as the margin allows.
    var isAtMargin = false
    /// Whether the difference is so small that the least data for a verdict are there long before it is found.
    var isSmall = false

    /// Whether it shows how often intervals miss the difference, and not how often it is found.
    var isAboutIntervals = false

    static let looks = 400

    var experiment: Experiment {
        let bought = Metric(event: "bought", kind: kind, isLowerBetter: isLowerBetter)
        return Experiment(
            projectID: "simulated", name: "e",
            variants: [
                .init(name: "control", weight: weight, parameters: ["p": "0"]),
                .init(name: "other", parameters: ["p": "1"]),
            ], goal: margin == nil ? bought : Metric(event: "goal", kind: .conversion),
            guardrails: margin.map { [Guardrail(metric: bought, margin: $0)] } ?? [], plannedExposures: plan ?? size)
    }

    /// Of the only comparison that can decide.
    var errorRate: Double {
        let analysis = ExperimentAnalysis(experiment)
        return margin == nil ? analysis.goalErrorRate : analysis.guardrailErrorRate
    }

    var hasDifference: Bool { !isAtMargin && (moreBuyers != 1 || largerAmounts != 1 || isNewToOther) }

    /// Whether half of the experiments should find the difference.
    var mustFind: Bool { hasDifference && !isAboutIntervals }

    /// Nil where it moves.
    var trueDifference: Double? {
        guard case .once = rhythm, kind == .total, margin == nil else { return nil }
        return buyers * amount.mean * (moreBuyers * largerAmounts - 1)
    }

    /// One purchase.
    private struct Purchase {
        let look: Int
        let buyer: Int
        let amount: Double
    }

    /// The times of the looks, as parts of the whole time.
    private var times: [Double] {
        let first = 1 / (days * 24 * 60)
        return (0..<Self.looks).map { look in
            isByTime
                ? pow(first, 1 - Double(look) / Double(Self.looks - 1)) : Double(look + 1) / Double(Self.looks)
        }
    }

    /// The first look after a moment; `looks` if there is none.
    private func look(after time: Double) -> Int {
        guard time <= 1 else { return Self.looks }
        guard isByTime else { return min(Self.looks - 1, Int(time * Double(Self.looks))) }
        let first = 1 / (days * 24 * 60)
        guard time > first else { return 0 }
        return min(Self.looks - 1, Int((log(time / first) / -log(first) * Double(Self.looks - 1)).rounded(.up)))
    }

    func run(_ random: inout SplitMix, _ record: ((inout Tally) -> Void) -> Void) {
        var joined = Array(repeating: [0, 0], count: Self.looks + 1)
        var variants: [Int] = []
        var purchases: [Purchase] = []
        let all = size * growth * (1 + weight)
        for _ in 0..<all {
            let time = joining * random.uniform()
            let variant = random.uniform() * Double(1 + weight) < 1 ? 1 : 0
            joined[look(after: time)][variant] += 1
            // Where all buy, they buy more often.
            guard buyers >= 1 || random.uniform() < buyers * (variant == 1 ? moreBuyers : 1),
                variant == 1 || !isNewToOther
            else { continue }
            purchase(by: variants.count, in: variant, joined: time, &purchases, &random)
            variants.append(variant)
        }
        walk(joined, variants, sorted(purchases), record)
    }

    private func purchase(
        by buyer: Int, in variant: Int, joined time: Double, _ purchases: inout [Purchase], _ random: inout SplitMix
    ) {
        var moments: [Double] = []
        switch (rhythm, kind) {
        case (.once, _): moments = [time]
        case (.steady(let mean), .conversion): moments = [time - log(1 - random.uniform()) / mean]
        case (.again(let mean), _): moments = [time] + steadily(mean, time, &random)
        case (.steady(let mean), _): moments = steadily(mean * (variant == 1 ? moreBuyers : 1), time, &random)
        }
        for time in moments {
            let look = look(after: time)
            guard look < Self.looks else { break }
            let amount = amount.draw(&random) * (variant == 1 ? largerAmounts : 1)
            purchases.append(Purchase(look: look, buyer: buyer, amount: amount))
        }
    }

    /// The moments of a Poisson process.
    private func steadily(_ mean: Double, _ start: Double, _ random: inout SplitMix) -> [Double] {
        var moments: [Double] = []
        var time = start
        while true {
            time -= log(1 - random.uniform()) / mean
            guard time <= 1 else { return moments }
            moments.append(time)
        }
    }

    /// By look.
    private func sorted(_ purchases: [Purchase]) -> [Purchase] {
        var ends = Array(repeating: 0, count: Self.looks + 1)
        for purchase in purchases { ends[purchase.look + 1] += 1 }
        for look in 0..<Self.looks { ends[look + 1] += ends[look] }
        var order = Array(repeating: 0, count: purchases.count)
        for (index, purchase) in purchases.enumerated() {
            order[ends[purchase.look]] = index
            ends[purchase.look] += 1
        }
        return order.map { purchases[$0] }
    }

    private func walk(
        _ joined: [[Int]], _ variants: [Int], _ purchases: [Purchase], _ record: ((inout Tally) -> Void) -> Void
    ) {
        let (experiment, times) = (experiment, times)
        let analysis = ExperimentAnalysis(experiment)
        var exposures = [0, 0]
        var bought = [Sample(), Sample()]
        var values = Array(repeating: 0.0, count: variants.count)
        var (next, stop, formerStop, hasMissed) = (0, Double?.none, Double?.none, false)
        for look in 0..<Self.looks {
            for variant in 0...1 {
                exposures[variant] += joined[look][variant]
                // An average counts only those with a value.
                if kind != .average { bought[variant].count += joined[look][variant] }
            }
            while next < purchases.count, purchases[next].look == look {
                add(purchases[next], of: variants[purchases[next].buyer], &values, &bought)
                next += 1
            }
            let data = data(exposures, bought)
            let now = isByTime ? times[look] * days : Double(exposures[1])
            if stop == nil, analysis.verdict(data) != .undecided { stop = now }
            if formerStop == nil, margin == nil, FormerRule.decides(data, experiment) { formerStop = now }
            if hasDifference, let trueDifference, !hasMissed,
                let interval = analysis.goalComparisons(data)[1].interval, !interval.contains(trueDifference)
            {
                hasMissed = true
            }
        }
        let isMismatch = analysis.hasSampleRatioMismatch(data(exposures, bought))
        record { tally in
            tally.stops += stop.map { [$0] } ?? []
            if margin == nil { tally.formerStops = (tally.formerStops ?? []) + (formerStop.map { [$0] } ?? []) }
            if hasDifference, trueDifference != nil { tally.missed = (tally.missed ?? 0) + (hasMissed ? 1 : 0) }
            if isMismatch { tally.mismatches += 1 }
        }
    }

    private func add(_ purchase: Purchase, of variant: Int, _ values: inout [Double], _ bought: inout [Sample]) {
        let old = values[purchase.buyer]
        let new =
            switch kind {
            case .conversion: 1.0
            case .total: old + purchase.amount
            // Of averages, only those are simulated whose buyers buy once.
            case .average: purchase.amount
            }
        values[purchase.buyer] = new
        bought[variant].sum += new - old
        bought[variant].sumOfSquares += new * new - old * old
        guard old == 0 else { return }
        bought[variant].nonzero += 1
        if kind == .average { bought[variant].count += 1 }
    }

    /// Where the purchases are no goal, there is one that decides nothing: a tenth of each variant.
    private func data(_ exposures: [Int], _ bought: [Sample]) -> ExperimentData {
        guard margin != nil else { return ExperimentData(exposures: exposures, goal: bought) }
        let goal = exposures.map { count in
            let converted = count / 10
            return Sample(
                count: count, sum: Double(converted), sumOfSquares: Double(converted), nonzero: converted)
        }
        return ExperimentData(exposures: exposures, goal: goal, guardrails: [bought])
    }
}

/// The rule of Hearth before it knew the clock of information: each variant's own variance, for conversions that of equal
/// rates, and the number of installations as the clock. Beside today's, it shows what that costs and saves.
enum FormerRule {
    static func decides(_ data: ExperimentData, _ experiment: Experiment) -> Bool {
        let samples = data.goal
        let counts = samples.map { Double($0.count) }
        guard min(samples[0].count, samples[1].count) >= 200 else { return false }
        let isConversion = experiment.goal.kind == .conversion
        let converted = samples[0].sum + samples[1].sum
        let all = counts[0] + counts[1]
        if isConversion, min(converted, all - converted) < 20 { return false }
        let rate = converted / all
        let variance =
            isConversion
            ? rate * (1 - rate) * (1 / counts[0] + 1 / counts[1])
            : samples[0].variance / counts[0] + samples[1].variance / counts[1]
        guard variance > 0 else { return false }
        let difference = SequentialTest.Difference(
            estimate: samples[1].mean - samples[0].mean, variance: variance, weight: counts[0] * counts[1] / all)
        let test = SequentialTest(errorRate: experiment.errorRate, plannedSize: experiment.plannedExposures)
        return test.pValue(difference) <= test.errorRate
    }
}

import Foundation
import HearthCampaignInput
import HearthExperiments

extension Purchases {
    static let all =
        skewed + growing + drawn + different + wrongPlans + atOnce + guarded + averages + stopping

    /// Few buy, and few of them for large sums, in groups of different sizes.
    private static let skewed: [Purchases] = [
        skewed(buyers: 0.02, deviation: 1.5, weight: 1), skewed(buyers: 0.02, deviation: 1.5, weight: 3),
        skewed(buyers: 0.02, deviation: 1.5, weight: 9), skewed(buyers: 0.02, deviation: 1, weight: 9),
        skewed(buyers: 0.05, deviation: 1, weight: 9), skewed(buyers: 0.02, deviation: 1, weight: 19),
        skewed(buyers: 0.005, deviation: 1, weight: 19),
    ]

    private static func skewed(buyers: Double, deviation: Double, weight: Int) -> Purchases {
        Purchases(
            name: "alike, \(percent(buyers)) buy, log-normal \(deviation), \(weight):1", buyers: buyers,
            amount: .logNormal(deviation), weight: weight)
    }

    /// The plan decides when the test works best, not how often it errs.
    private static let wrongPlans: [Purchases] = [
        planned(1000, skewed(buyers: 0.02, deviation: 1.5, weight: 9)),
        planned(100, skewed(buyers: 0.02, deviation: 1.5, weight: 9)),
        planned(100, convertingAtOnce), planned(100_000, convertingAtOnce),
    ]

    private static func planned(_ plan: Int, _ purchases: Purchases) -> Purchases {
        var planned = purchases
        planned.plan = plan
        planned.name += ", planned \(plan)"
        return planned
    }

    private static let atOnce: [Purchases] = [
        converting("alike, 26 % convert in 60 days, join at once", 0.3, size: 100_000, joining: 1e-9),
        convertingAtOnce,
    ]

    private static let convertingAtOnce = converting(
        "alike, 26 % convert in 60 days, join at once, 10,000", 0.3, size: 10_000, joining: 1e-9)

    /// Totals that must not get worse, exactly as bad as allowed.
    private static let guarded: [Purchases] = [
        Purchases(
            name: "guardrail, 2 % buy, log-normal 1.5, for 10 % less, 9:1", buyers: 0.02, amount: .logNormal(1.5),
            weight: 9, largerAmounts: 0.9, margin: 0.1, isAtMargin: true),
        Purchases(
            name: "guardrail, 5 % buy, log-normal 1, for 10 % less, 9:1", buyers: 0.05, amount: .logNormal(1),
            weight: 9,
            largerAmounts: 0.9, margin: 0.1, isAtMargin: true),
        Purchases(
            name: "guardrail, 2 % buy, log-normal 1.5, 90 % fewer", buyers: 0.02, amount: .logNormal(1.5),
            moreBuyers: 0.1, margin: 0.9, isAtMargin: true),
        Purchases(
            name: "guardrail, 5 % buy, log-normal 1, 90 % fewer", buyers: 0.05, amount: .logNormal(1), moreBuyers: 0.1,
            margin: 0.9, isAtMargin: true),
    ]

    private static let averages: [Purchases] = [
        Purchases(
            name: "average, alike, of 20 %, log-normal 1, 9:1", kind: .average, buyers: 0.2, amount: .logNormal(1),
            weight: 9),
        Purchases(
            name: "average, alike, of 20 %, log-normal 1.5, 9:1", kind: .average, buyers: 0.2,
            amount: .logNormal(1.5), weight: 9),
    ]

    /// All join early, and then values grow while nobody joins.
    private static let growing: [Purchases] = [
        converting("alike, 26 % convert in 60 days, join in a day", 0.3, size: 100_000, joining: 1 / 60),
        converting("alike, 26 % convert in 60 days, join in a day, 10,000", 0.3, size: 10_000, joining: 1 / 60),
        converting("alike, 26 % convert in 60 days, join in a week", 0.3, size: 10_000, joining: 7 / 60),
        converting("alike, 78 % convert in 60 days, join in a day", 1.5, size: 10_000, joining: 1 / 60),
        counting("alike, an event a day, join in 6 hours", 60, joining: 0.25 / 60),
        counting("alike, an event a day, join in a day", 60, joining: 1 / 60),
        counting("alike, an event a day, join in 14 days", 60, joining: 14 / 60),
        counting("alike, an event in 20 days, 180 days", 9, joining: 0.25 / 180, days: 180),
        counting("alike, an event a day, join at once", 60, joining: 1e-9),
    ]

    private static func converting(_ name: String, _ mean: Double, size: Int, joining: Double) -> Purchases {
        Purchases(
            name: name, kind: .conversion, buyers: 1, rhythm: .steady(mean), size: size, joining: joining,
            isByTime: true)
    }

    private static func counting(_ name: String, _ mean: Double, joining: Double, days: Double = 60) -> Purchases {
        Purchases(
            name: name, buyers: 1, rhythm: .steady(mean), size: 2000, joining: joining, days: days, isByTime: true)
    }

    /// Drawn once, always the same: what buyers spend, how many buy, the weights, and for every second case buyers who buy
    /// again and again while fewer and fewer join.
    private static let drawn: [Purchases] = {
        var random = SplitMix(seed: 10)
        return (1...10).map { number in
            let isPareto = random.uniform() < 0.5
            let tail = isPareto ? 2.2 + 1.8 * random.uniform() : 0.5 + 1.5 * random.uniform()
            let buyers = 0.005 * pow(40, random.uniform())
            let weight = Int(pow(19.0, random.uniform()).rounded())
            let again = 1 + 9 * random.uniform()
            let joining = 0.02 + 0.98 * random.uniform()
            let repeats = number % 2 == 0
            let amount = "\(isPareto ? "Pareto" : "log-normal") \(String(format: "%.1f", tail))"
            return Purchases(
                name: "alike, \(percent(buyers)) buy, \(amount), \(weight):1\(repeats ? ", again" : "")",
                buyers: buyers, amount: isPareto ? .pareto(tail) : .logNormal(tail),
                rhythm: repeats ? .again(again) : .once, weight: weight, joining: repeats ? joining : 1,
                isByTime: repeats)
        }
    }()

    /// With a true difference: how long it takes, and how often an interval ever misses it.
    private static let different: [Purchases] = [
        Purchases(
            name: "40 % convert, 43 %", kind: .conversion, buyers: 0.4, growth: 2, moreBuyers: 1.075,
            isSmall: true),
        Purchases(
            name: "10 % convert, 11.5 %", kind: .conversion, buyers: 0.1, growth: 2, moreBuyers: 1.15,
            isSmall: true),
        Purchases(
            name: "1 % convert, 1.5 %", kind: .conversion, buyers: 0.01, growth: 2, moreBuyers: 1.5,
            isSmall: true),
        Purchases(
            name: "5 % buy, log-normal 1, 40 % more", buyers: 0.05, amount: .logNormal(1), growth: 2, moreBuyers: 1.4,
            isSmall: true),
        Purchases(
            name: "5 % buy, log-normal 1, for 40 % more", buyers: 0.05, amount: .logNormal(1), growth: 2,
            largerAmounts: 1.4, isSmall: true),
        Purchases(
            name: "2 % buy, log-normal 1.5, 80 % more", buyers: 0.02, amount: .logNormal(1.5), growth: 2,
            moreBuyers: 1.8, isSmall: true),
        Purchases(
            name: "5 % buy, Pareto 2.5, for twice as much", buyers: 0.05, amount: .pareto(2.5), growth: 2,
            largerAmounts: 2),
        Purchases(
            name: "10 % buy again, 30 % more", buyers: 0.1, amount: .logNormal(1), rhythm: .again(3), joining: 0.5,
            isByTime: true, moreBuyers: 1.3),
        Purchases(
            name: "an event in 6 days, 6 % more", buyers: 1, rhythm: .steady(10), size: 4000, joining: 0.1,
            isByTime: true,
            moreBuyers: 1.06),
        Purchases(
            name: "5 % buy, log-normal 1, 40 % more, 9:1", buyers: 0.05, amount: .logNormal(1), weight: 9,
            moreBuyers: 1.4),
        Purchases(
            name: "5 % buy, log-normal 1, 40 % fewer, 9:1", buyers: 0.05, amount: .logNormal(1), weight: 9,
            moreBuyers: 0.6),
        Purchases(
            name: "2 % buy, log-normal 1, for twice as much, 9:1", buyers: 0.02, amount: .logNormal(1), weight: 9,
            largerAmounts: 2),
        Purchases(
            name: "2 % buy, log-normal 1.5, for twice as much, 9:1", buyers: 0.02, amount: .logNormal(1.5), weight: 9,
            largerAmounts: 2, isAboutIntervals: true),
    ]

    /// The variant itself keeps the values away that a verdict waits for.
    private static let stopping: [Purchases] = [
        Purchases(name: "5 % buy, log-normal 1, none", buyers: 0.05, amount: .logNormal(1), moreBuyers: 0),
        Purchases(
            name: "2 % buy, log-normal 1.5, none", buyers: 0.02, amount: .logNormal(1.5), growth: 2, moreBuyers: 0),
        Purchases(name: "5 % buy, log-normal 1, 90 % fewer", buyers: 0.05, amount: .logNormal(1), moreBuyers: 0.1),
        Purchases(
            name: "2 % buy, log-normal 1.5, 90 % fewer", buyers: 0.02, amount: .logNormal(1.5), growth: 2,
            moreBuyers: 0.1),
        Purchases(
            name: "guardrail, 2 % crash, log-normal 1, none in the control", buyers: 0.02, amount: .logNormal(1),
            growth: 2,
            isNewToOther: true, margin: 0.1, isLowerBetter: true),
    ]

    private static func percent(_ part: Double) -> String { String(format: "%.1f %%", part * 100) }
}

import Foundation
import HearthCampaignInput
import HearthExperiments

/// An experiment that is to be simulated many times: what it measures, and what is true.
struct Scenario: Sendable {
    let name: String
    /// Whether to stop it by itself is right.
    let hasDifference: Bool
    let experiment: Experiment
    /// One installation's value of the goal in a variant; the true mean; the same of the guardrail.
    let goal: @Sendable (Int, inout SplitMix) -> Double
    let trueMean: @Sendable (Int) -> Double
    let guardrail: (@Sendable (Int, inout SplitMix) -> Double)?
    /// In how many parts a value of the goal comes in, each some batches after the exposure; 0 for at once.
    var lateParts = 0

    static let all: [Scenario] = [
        conversion("conversion, two alike", [0.1, 0.1]),
        conversion("conversion, 10 % against 11.5 %", [0.1, 0.115]),
        conversion("conversion, four alike", [0.03, 0.03, 0.03, 0.03]),
        revenue("skewed totals, two alike", [1, 1]),
        revenue("skewed totals, one 40 % higher", [1, 1.4]),
        late(conversion("late conversions, two alike", [0.1, 0.1]), parts: 1),
        late(conversion("late conversions, 10 % against 11.5 %", [0.1, 0.115]), parts: 1),
        late(revenue("skewed totals in three late parts, two alike", [1, 1]), parts: 3),
        latency("guardrail on latency, all alike", slower: 1),
        crashes("guardrail on rare crashes, exactly as many as it allows", rate: 0.02, margin: 1),
        latency("guardrail on latency, 6 % slower where 2 % may be", slower: 1.06),
    ]

    private static func experiment(_ name: String, _ count: Int, _ kind: Metric.Kind, _ guardrails: [Guardrail] = [])
        -> Experiment
    {
        Experiment(
            projectID: "simulated", name: "e",
            variants: (0..<count).map { .init(name: "v\($0)", parameters: ["p": "\($0)"]) },
            goal: Metric(event: "goal", kind: kind), guardrails: guardrails, plannedExposures: 10_000)
    }

    private static func conversion(_ name: String, _ rates: [Double]) -> Scenario {
        Scenario(
            name: name, hasDifference: Set(rates).count > 1, experiment: experiment(name, rates.count, .conversion),
            goal: { variant, random in random.uniform() < rates[variant] ? 1 : 0 }, trueMean: { rates[$0] },
            guardrail: nil)
    }

    private static func late(_ scenario: Scenario, parts: Int) -> Scenario {
        var late = scenario
        late.lateParts = parts
        return late
    }

    /// One in twenty buys, for a sum that is log-normal with a deviation of 1 in its logarithm: few large ones, many small.
    private static func revenue(_ name: String, _ factors: [Double]) -> Scenario {
        Scenario(
            name: name, hasDifference: Set(factors).count > 1, experiment: experiment(name, factors.count, .total),
            goal: { variant, random in random.uniform() < 0.05 ? factors[variant] * exp(random.normal()) : 0 },
            trueMean: { factors[$0] * 0.05 * exp(0.5) }, guardrail: nil)
    }

    /// At the edge of what the guardrail allows.
    private static func crashes(_ name: String, rate: Double, margin: Double) -> Scenario {
        let metric = Metric(event: "crash", kind: .conversion, isLowerBetter: true)
        return Scenario(
            name: name, hasDifference: false,
            experiment: experiment(name, 2, .conversion, [Guardrail(metric: metric, margin: margin)]),
            goal: { _, random in random.uniform() < 0.1 ? 1 : 0 }, trueMean: { _ in 0.1 },
            guardrail: { variant, random in random.uniform() < (variant == 0 ? rate : rate * (1 + margin)) ? 1 : 0 })
    }

    private static func latency(_ name: String, slower: Double) -> Scenario {
        let guardrail = Guardrail(metric: Metric(event: "latency", kind: .average, isLowerBetter: true), margin: 0.02)
        return Scenario(
            name: name, hasDifference: slower > 1, experiment: experiment(name, 2, .conversion, [guardrail]),
            goal: { _, random in random.uniform() < 0.1 ? 1 : 0 }, trueMean: { _ in 0.1 },
            guardrail: { variant, random in (variant == 0 ? 1 : slower) * 20 * exp(0.4 * random.normal()) })
    }
}

import Dispatch
import Foundation
import HearthCampaignInput
import HearthExperiments
import Synchronization

/// What came of the simulations of one kind of experiment.
struct Tally: Codable, Sendable {
    var scenario: String
    var hasDifference: Bool
    /// Whether at least half of the experiments should find the difference.
    var mustFind: Bool
    var errorRate: Double
    var experiments: Int
    /// What `stops` are: `installations` of a variant, or `days`.
    var unit = "installations"
    /// Where those ended that ended by themselves.
    var stops: [Double] = []
    /// The same by the former rule, where it was tried.
    var formerStops: [Double]?
    /// 95 % credible intervals at the last look that hold the truth, of so many.
    var covered = 0
    var intervals = 0
    /// Experiments of which the interval of the difference ever missed a true one that is not 0.
    var missed: Int?
    /// Whether the rule may need only a little more than the former one.
    var isSmall = false
    /// Sample ratio mismatches, of which there are none.
    var mismatches = 0
}

/// `ExperimentSimulator COUNT PURCHASE_COUNT SEED [TEXT]`: simulates each scenario COUNT times, and those with purchases
/// PURCHASE_COUNT times, looks at each again and again, and writes a JSON object per scenario to standard output. With TEXT
/// only those whose names contain it.
@main enum SimulatorProgram {
    private static let batch = 500
    private static let looks = 40
    /// In batches.
    private static let longestDelay = 10

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let numbers = arguments.prefix(3).compactMap { UInt64($0) }
        guard (3...4).contains(arguments.count), numbers.count == 3, numbers[0] > 0, numbers[1] > 0 else {
            FileHandle.standardError.write(Data("usage: ExperimentSimulator COUNT PURCHASE_COUNT SEED [TEXT]\n".utf8))
            exit(2)
        }
        let wanted = arguments.dropFirst(3).first ?? ""
        func isWanted(_ name: String) -> Bool { wanted.isEmpty || name.contains(wanted) }
        for (index, scenario) in Scenario.all.enumerated() where isWanted(scenario.name) {
            let tally = Tally(
                scenario: scenario.name, hasDifference: scenario.hasDifference, mustFind: scenario.hasDifference,
                errorRate: scenario.experiment.errorRate, experiments: Int(numbers[0]))
            try simulate(tally, seed: numbers[2], index) { run(scenario, &$0, $1) }
        }
        for (index, purchases) in Purchases.all.enumerated() where isWanted(purchases.name) {
            let tally = Tally(
                scenario: purchases.name, hasDifference: purchases.hasDifference, mustFind: purchases.mustFind,
                errorRate: purchases.errorRate, experiments: Int(numbers[1]),
                unit: purchases.isByTime ? "days" : "installations", isSmall: purchases.isSmall)
            try simulate(tally, seed: numbers[2], 1000 + index) { purchases.run(&$0, $1) }
        }
    }

    private static func simulate(
        _ empty: Tally, seed: UInt64, _ index: Int,
        _ run: @Sendable (inout SplitMix, ((inout Tally) -> Void) -> Void) -> Void
    ) throws {
        let tally = Mutex(empty)
        DispatchQueue.concurrentPerform(iterations: empty.experiments) { number in
            var random = SplitMix(seed: seed &* 1_000_003 &+ UInt64(index) &* 100_000_007 &+ UInt64(number))
            run(&random) { change in tally.withLock { change(&$0) } }
        }
        print(String(decoding: try JSONEncoder().encode(tally.withLock { $0 }), as: UTF8.self))
    }

    private static func run(
        _ scenario: Scenario, _ random: inout SplitMix, _ record: ((inout Tally) -> Void) -> Void
    ) {
        let variants = scenario.experiment.variants.indices
        let analysis = ExperimentAnalysis(scenario.experiment)
        var data = ExperimentData(
            exposures: variants.map { _ in 0 }, goal: variants.map { _ in Sample() },
            guardrails: scenario.guardrail == nil ? [] : [variants.map { _ in Sample() }])
        var stop: Int?
        var late = LateValues(parts: scenario.lateParts, longest: longestDelay)
        for _ in 0..<looks {
            late.arrive(&data.goal)
            for _ in 0..<batch * variants.count {
                // Installations come one by one, to any of the variants.
                let variant = Int(random.next() % UInt64(variants.count))
                data.exposures[variant] += 1
                late.take(scenario.goal(variant, &random), of: variant, &data.goal, &random)
                if let guardrail = scenario.guardrail { data.guardrails[0][variant].add(guardrail(variant, &random)) }
            }
            if stop == nil, analysis.verdict(data) != .undecided { stop = data.exposures[0] }
        }
        // The truth is what all values say.
        for _ in 0...longestDelay { late.arrive(&data.goal) }
        let intervals = variants.compactMap { variant in
            Posterior(data.goal[variant], kind: scenario.experiment.goal.kind).map {
                $0.credibleInterval().contains(scenario.trueMean(variant))
            }
        }
        let isMismatch = analysis.hasSampleRatioMismatch(data)
        record { tally in
            if let stop { tally.stops.append(Double(stop)) }
            tally.intervals += intervals.count
            tally.covered += intervals.count { $0 }
            if isMismatch { tally.mismatches += 1 }
        }
    }
}

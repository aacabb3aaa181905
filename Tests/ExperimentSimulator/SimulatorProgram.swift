import Dispatch
import Foundation
import HearthCampaignInput
import HearthExperiments
import Synchronization

/// `ExperimentSimulator COUNT SEED`: simulates each scenario COUNT times, looks at it after every batch, and writes a JSON
/// object per scenario to standard output.
@main enum SimulatorProgram {
    private static let batch = 500
    private static let looks = 40
    /// In batches.
    private static let longestDelay = 10

    struct Tally: Codable, Sendable {
        var scenario: String
        var hasDifference: Bool
        var errorRate: Double
        var experiments: Int
        /// Ended by themselves before the last look.
        var stopped = 0
        /// Of those: installations per variant at the end.
        var exposuresAtStop: [Int] = []
        /// 95 % credible intervals at the last look that hold the truth, of so many.
        var covered = 0
        var intervals = 0
        /// Sample ratio mismatches, of which there are none.
        var mismatches = 0
    }

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[1]), count > 0, let seed = UInt64(arguments[2]) else {
            FileHandle.standardError.write(Data("usage: ExperimentSimulator COUNT SEED\n".utf8))
            exit(2)
        }
        for (index, scenario) in Scenario.all.enumerated() {
            let tally = Mutex(
                Tally(
                    scenario: scenario.name, hasDifference: scenario.hasDifference,
                    errorRate: scenario.experiment.errorRate, experiments: count))
            DispatchQueue.concurrentPerform(iterations: count) { number in
                var random = SplitMix(seed: seed &* 1_000_003 &+ UInt64(index) &* 100_000_007 &+ UInt64(number))
                run(scenario, &random) { change in tally.withLock { change(&$0) } }
            }
            print(String(decoding: try JSONEncoder().encode(tally.withLock { $0 }), as: UTF8.self))
        }
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
            if let stop {
                tally.stopped += 1
                tally.exposuresAtStop.append(stop)
            }
            tally.intervals += intervals.count
            tally.covered += intervals.count { $0 }
            if isMismatch { tally.mismatches += 1 }
        }
    }
}

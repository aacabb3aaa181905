import Dispatch
import Foundation
import HearthCatalog
import HearthRollouts
import Synchronization

/// `RolloutSimulator ROLLOUTS BUDGET SEED [long] [only TEXT]`: simulates each scenario whose name begins with TEXT, and writes a JSON object per scenario to
/// standard output. ROLLOUTS of a sound version, a tenth as many of each bad one; fewer if the fleet is so large that a
/// scenario would have more than BUDGET devices.
@main enum RolloutSimulatorProgram {
    struct Tally: Codable, Sendable {
        var scenario: String
        var devices: Int
        var isSound: Bool
        var rollouts = 0
        var stopped: [String: Int] = [:]
        var complete = 0
        var reachedAtStop: [Int] = []
        var daysAtStop: [Double] = []
        var daysAtCompletion: [Double] = []
    }

    /// Scenarios that cannot be simulated so often are left out.
    private static let least = 10

    static func main() throws {
        var words = Array(CommandLine.arguments.dropFirst())
        var only = ""
        if let place = words.firstIndex(of: "only"), place + 1 < words.count {
            only = words[place + 1]
            words.removeSubrange(place...(place + 1))
        }
        let numbers = words.compactMap { Int($0) }
        guard numbers.count == 3 else {
            let usage = "usage: RolloutSimulator ROLLOUTS BUDGET SEED [long] [only TEXT]\n"
            FileHandle.standardError.write(Data(usage.utf8))
            exit(2)
        }
        for (index, scenario) in Scenario.all(isLong: words.last == "long").enumerated()
        where scenario.devices * least <= numbers[1] && scenario.name.hasPrefix(only) {
            let wanted = scenario.isSound ? numbers[0] : max(20, numbers[0] / 10)
            let count = max(least, min(wanted, numbers[1] / scenario.devices))
            let tally = Mutex(
                Tally(scenario: scenario.name, devices: scenario.devices, isSound: scenario.isSound, rollouts: count))
            DispatchQueue.concurrentPerform(iterations: count) { number in
                let seed = UInt64(numbers[2]) &* 1_000_003 &+ UInt64(index) &* 100_000_007 &+ UInt64(number)
                var rollout = SimulatedRollout(scenario, seed: seed)
                let outcome = rollout.run()
                tally.withLock { tally in
                    if let guarded = outcome.stoppedBy {
                        tally.stopped[guarded.rawValue, default: 0] += 1
                        tally.reachedAtStop.append(outcome.reached)
                        tally.daysAtStop.append(outcome.days)
                    } else if outcome.isComplete {
                        tally.complete += 1
                        tally.daysAtCompletion.append(outcome.days)
                    }
                }
            }
            FileHandle.standardOutput.write(try JSONEncoder().encode(tally.withLock { $0 }) + Data("\n".utf8))
        }
    }
}

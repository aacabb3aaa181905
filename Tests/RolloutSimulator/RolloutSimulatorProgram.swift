import Dispatch
import Foundation
import HearthCatalog
import HearthRollouts
import Synchronization

/// `RolloutSimulator list`: a JSON object with the names of all scenarios.
/// `RolloutSimulator run SEED DAYS [fast]`: reads lines `DEVICES FIRST COUNT NAME` from standard input, simulates these
/// rollouts of the scenario of that name, and writes a line of JSON per rollout. `fast` begins with larger shares.
@main enum RolloutSimulatorProgram {
    private struct Names: Codable {
        var common: [String]
        var rarer: [String]
        var extreme: [String]
        var drawn: [String]
        var harmful: [String]
        var gross: [String]
        /// The guard that should see each harmful version, in the order of `harmful` and `gross`.
        var harmGuards: [String]
        /// Of the harmful ones, those whose harm shows later than a device counts as sound.
        var late: [String]
    }

    private static let drawnCount = 12

    static func main() throws {
        let words = Array(CommandLine.arguments.dropFirst())
        // The same fleets are drawn whatever the seed of the rollouts.
        let drawn = Scenario.drawn(drawnCount, seed: 2026)
        switch words.first {
        case "list":
            let names = Names(
                common: Scenario.common.map(\.name), rarer: Scenario.rarer.map(\.name),
                extreme: Scenario.extreme.map(\.name), drawn: drawn.map(\.name),
                harmful: Scenario.harmful.map(\.name), gross: Scenario.gross.map(\.name),
                harmGuards: (Scenario.harmful + Scenario.gross).compactMap { $0.harm?.seenBy.rawValue },
                late: Scenario.harmful.filter(\.isLate).map(\.name))
            try write(names)
        case "run":
            guard words.count >= 3, let seed = UInt64(words[1]), let days = Int(words[2]) else { usage() }
            let all = Scenario.sound + drawn + Scenario.harmful + Scenario.gross
            while let line = readLine() {
                let parts = line.split(separator: " ", maxSplits: 3)
                guard parts.count == 4, let devices = Int(parts[0]), let first = Int(parts[1]),
                    let count = Int(parts[2]), var scenario = all.first(where: { $0.name == parts[3] })
                else { usage() }
                if words.last == "fast", scenario.offered == 0 { scenario.shares = [200_000, 500_000, 1_000_000] }
                run(scenario, devices, first..<first + count, days, seed)
            }
        default: usage()
        }
    }

    private static func run(
        _ scenario: Scenario, _ devices: Int, _ numbers: Range<Int>, _ days: Int, _ seed: UInt64
    ) {
        let output = Mutex(())
        // By name, so that further scenarios change nothing for the others.
        let name = scenario.name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let own = seed &* 1_000_003 &+ name &+ UInt64(devices) &* 7_000_003
        DispatchQueue.concurrentPerform(iterations: numbers.count) { index in
            let number = numbers.lowerBound + index
            var rollout = SimulatedRollout(
                scenario, devices: devices, days: days, seed: own &* 0x2545_F491_4F6C_DD1D &+ UInt64(number),
                number: number)
            let outcome = rollout.run()
            output.withLock { _ in try? write(outcome) }
        }
    }

    private static func write(_ value: some Encodable) throws {
        FileHandle.standardOutput.write(try JSONEncoder().encode(value) + Data("\n".utf8))
    }

    private static func usage() -> Never {
        let usage = "usage: RolloutSimulator list, or RolloutSimulator run SEED DAYS [fast]\n"
        FileHandle.standardError.write(Data(usage.utf8))
        exit(2)
    }
}

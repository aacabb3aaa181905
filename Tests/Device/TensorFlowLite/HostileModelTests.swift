import Foundation
import TensorFlowLite
import Testing

struct HostileModelTests {
    /// Damaged models run or throw; they never take the process down. The same damage every time.
    @Test(arguments: [Fixture.add, .add_uint8, .add_int8, .flatten, .where_cast, .where_of_where, .shared_tensors])
    func survivesDamage(fixture: Fixture) throws {
        let file = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
        var random = SeededGenerator(seed: 1)
        let count = ProcessInfo.processInfo.environment["HEARTH_DAMAGED_MODELS"].flatMap(Int.init) ?? 60
        for _ in 0..<count {
            var damaged = file
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<damaged.count, using: &random)
                damaged[place] = UInt8.random(in: 0...255, using: &random)
            }
            runToTheEnd(damaged)
        }
    }

    private func runToTheEnd(_ model: Data) {
        guard let interpreter = try? Interpreter(modelData: model) else { return }
        guard (try? interpreter.allocateTensors()) != nil, (try? interpreter.invoke()) != nil else { return }
        for index in 0..<interpreter.outputTensorCount { _ = try? interpreter.output(at: index) }
    }
}

/// SplitMix64: small, and the same on every machine.
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

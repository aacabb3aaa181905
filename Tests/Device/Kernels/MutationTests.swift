import Foundation
import HearthKernels
import HearthModelFile
import HearthTestSupport
import Testing

/// Damaged models with state are computed or refused; nothing else may happen. The seed is fixed, so a failure comes
/// back.
@Suite struct MutationTests {
    private static let interesting: [UInt32] = [
        0, 1, 0x7F, 0xFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x7FC0_0000, 0x7F80_0000,
    ]

    private func mutate(_ seed: Data, _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = [UInt8](seed)
        for _ in 0...Int.random(in: 0..<3, using: &generator) {
            let start = Int.random(in: 0..<bytes.count / 4, using: &generator) * 4
            if Bool.random(using: &generator) {
                bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            } else {
                let value = Self.interesting.randomElement(using: &generator) ?? 0
                withUnsafeBytes(of: value.littleEndian) { bytes.replaceSubrange(start..<start + 4, with: $0) }
            }
        }
        return bytes
    }

    /// Loads every operator that can be loaded and runs it on the shape that the file declares.
    /// - Returns: how many ran.
    private func runAll(_ bytes: [UInt8]) throws -> Int {
        guard let model = try? ModelFile(ModelBytes(copying: bytes)), !model.graph.subgraphs.isEmpty
        else { return 0 }
        var runs = 0
        for (number, node) in model.graph.subgraphs[0].operators.enumerated()
        where ReferenceRun.codes.contains(node.builtinCode) {
            guard let kernel = try? RecurrentOperator(model, subgraph: 0, operator: number) else { continue }
            let input = model.graph.subgraphs[0].tensors[kernel.activationInput]
            guard let output = try? kernel.prepare(inputShape: input.shape) else { continue }
            let width = input.type == .int8 ? 1 : 4
            let inputBytes = input.shape.reduce(width, *)
            guard inputBytes < 1 << 16 else { continue }
            for _ in 0..<2 {
                let values = Data(repeating: 0x3E, count: inputBytes)
                _ = try kernel.answer(to: values, outputBytes: output.reduce(width, *))
            }
            runs += 1
        }
        return runs
    }

    @Test(arguments: [
        "lstm_step_everything", "sequence_lstm_everything", "int8_sequence_lstm", "hybrid_sequence_lstm_everything",
        "sequence_rnn", "svdf", "hybrid_svdf_asymmetric",
    ])
    func damagedModelsAreComputedOrRefused(name: String) throws {
        let seed = try Data(contentsOf: ReferenceRun.folder.appendingPathComponent("\(name).tflite"))
        var generator = SeededGenerator(seed: 16)
        var runs = 0
        let rounds = ProcessInfo.processInfo.environment["HEARTH_DAMAGED_MODELS"].flatMap(Int.init) ?? 150
        for _ in 0..<rounds { runs += try runAll(mutate(seed, &generator)) }
        // Damage that hits weights only leaves a model that runs.
        #expect(runs > rounds / 10 && runs < rounds)
    }
}

import Foundation
import HearthModelFile
import HearthTestSupport
import Testing

@testable import HearthKernels

/// How callers may use a sound operator: shapes, buffers, state.
@Suite struct RecurrentOperatorTests {
    @Test(arguments: ["lstm_step", "rnn_step", "svdf"])
    func refusesOtherShapesForSteps(name: String) throws {
        let kernel = try RecurrentOperator(ReferenceRun.model(name), subgraph: 0, operator: 0)
        for shape in [[], [5], [1, 5], [3, 5], [2, 4], [2, 6], [0, 5], [-2, 5], [2, 1, 5], [.max, .max]] {
            let error = #expect(throws: RecurrentOperatorError.self, "\(shape)") {
                try kernel.prepare(inputShape: shape)
            }
            #expect(error?.code == .shapeMismatch)
        }
    }

    @Test(arguments: ["sequence_lstm", "int8_sequence_lstm_coupled", "sequence_rnn_relu6"])
    func refusesOtherShapesForSequences(name: String) throws {
        let kernel = try RecurrentOperator(ReferenceRun.model(name), subgraph: 0, operator: 0)
        for shape in [[], [2, 5], [1, 3, 5], [2, 3, 6], [2, 0, 5], [2, -1, 5], [2, .min, 5], [2, 3, 5, 1]] {
            let error = #expect(throws: RecurrentOperatorError.self, "\(shape)") {
                try kernel.prepare(inputShape: shape)
            }
            #expect(error?.code == .shapeMismatch)
        }
        let error = #expect(throws: RecurrentOperatorError.self) { try kernel.prepare(inputShape: [2, .max, 5]) }
        #expect(error?.code == .tooLarge)
    }

    @Test func saysWhatIsWrongWithAShape() throws {
        let kernel = try RecurrentOperator(ReferenceRun.model("sequence_lstm"), subgraph: 0, operator: 0)
        let error = #expect(throws: RecurrentOperatorError.self) { try kernel.prepare(inputShape: [3, 4, 5]) }
        #expect(
            error?.message
                == "the operator cannot take an input of shape [3, 4, 5]: its state is made for a batch of 2")
    }

    @Test func takesSequencesOfAnyLength() throws {
        // Time-major and 5 steps in the file; the answers to 2 + 3 steps are those to 5.
        for name in ["sequence_lstm_time_major", "int8_sequence_lstm_time_major", "sequence_rnn_time_major"] {
            let expected = try ReferenceRun.named(name)
            let kernel = try RecurrentOperator(ReferenceRun.model(name), subgraph: 0, operator: 0)
            let inputStep = expected.inputs[0].count / expected.inputShape[0]
            let outputStep = expected.outputs[0].count / expected.outputShape[0]
            let whole = try {
                _ = try kernel.prepare(inputShape: expected.inputShape)
                return try kernel.answer(to: expected.inputs[0], outputBytes: expected.outputs[0].count)
            }()
            var shape = expected.inputShape
            shape[0] = 1
            #expect(try kernel.prepare(inputShape: shape)[0] == 1)
            for step in 0..<expected.inputShape[0] {
                let input = Data(expected.inputs[0].dropFirst(step * inputStep).prefix(inputStep))
                let answer = try kernel.answer(to: input, outputBytes: outputStep)
                #expect(answer == whole.dropFirst(step * outputStep).prefix(outputStep))
            }
        }
    }

    @Test func cutsLongSequencesIntoBlocks() throws {
        let name = "sequence_lstm_wide"
        let kernel = try RecurrentOperator(ReferenceRun.model(name), subgraph: 0, operator: 0)
        let (steps, depth, units) = (900, 11, 10)
        let byteCount = 2 * steps * depth * 4
        let input = Data((0..<byteCount).map { (index: Int) -> UInt8 in index % 4 == 3 ? 0x3F : UInt8(index % 120) })
        _ = try kernel.prepare(inputShape: [2, steps, depth])
        let long = try kernel.answer(to: input, outputBytes: 2 * steps * units * 4).floats
        // The same sequence of item 0, alone in both items, step by step.
        _ = try kernel.prepare(inputShape: [2, 1, depth])
        var last: [Float] = []
        for step in 0..<steps {
            let one = input.dropFirst(step * depth * 4).prefix(depth * 4)
            last = try kernel.answer(to: Data(one + one), outputBytes: 2 * units * 4).floats
        }
        #expect(Array(long[(steps - 1) * units..<steps * units]) == Array(last[..<units]))
    }

    @Test func refusesARunBeforeItIsPrepared() throws {
        let name = "sequence_lstm"
        let expected = try ReferenceRun.named(name)
        let kernel = try RecurrentOperator(ReferenceRun.model(name), subgraph: 0, operator: 0)
        func run() throws { _ = try kernel.answer(to: expected.inputs[0], outputBytes: expected.outputs[0].count) }
        #expect(throws: RecurrentOperatorError.self) { try run() }
        _ = try kernel.prepare(inputShape: expected.inputShape)
        try run()
        #expect(throws: RecurrentOperatorError.self) { try kernel.prepare(inputShape: [1]) }
        let error = #expect(throws: RecurrentOperatorError.self) { try run() }
        #expect(error?.code == .notPrepared)
    }

    @Test(arguments: ["sequence_lstm", "int8_lstm_step", "sequence_rnn", "svdf"])
    func refusesBuffersOfOtherSizesAndKeepsTheState(name: String) throws {
        let expected = try ReferenceRun.named(name)
        let kernel = try ReferenceRun.prepared(name)
        let (input, count) = (expected.inputs[0], expected.outputs[0].count)
        for (inputCount, outputCount) in [
            (0, count), (input.count - 1, count), (input.count, 0), (input.count, count + 1),
        ] {
            let error = #expect(throws: RecurrentOperatorError.self) {
                try kernel.answer(to: input.prefix(inputCount), outputBytes: outputCount)
            }
            #expect(error?.code == .bufferMismatch)
        }
        let empty = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        #expect(throws: RecurrentOperatorError.self) {
            try kernel.run(input: UnsafeRawBufferPointer(empty), output: empty)
        }
        let first = try kernel.answer(to: input, outputBytes: count)
        #expect(first == (try ReferenceRun.prepared(name).answer(to: input, outputBytes: count)))
    }

    @Test func refusesFloatsAtOddAddresses() throws {
        let expected = try ReferenceRun.named("rnn_step")
        let kernel = try ReferenceRun.prepared("rnn_step")
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 64)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        let input = UnsafeRawBufferPointer(rebasing: memory[1..<1 + expected.inputs[0].count])
        let output = UnsafeMutableRawBufferPointer(rebasing: memory[2048..<2048 + expected.outputs[0].count])
        let error = #expect(throws: RecurrentOperatorError.self) { try kernel.run(input: input, output: output) }
        #expect(error?.code == .bufferMismatch)
    }

    @Test(arguments: ["sequence_lstm_everything", "lstm_step", "int8_sequence_lstm", "rnn_step", "svdf"])
    func goesBackToASavedState(name: String) throws {
        let expected = try ReferenceRun.named(name)
        let kernel = try ReferenceRun.prepared(name)
        let count = expected.outputs[0].count
        func run(_ number: Int) throws -> Data { try kernel.answer(to: expected.inputs[number], outputBytes: count) }
        let first = try run(0)
        kernel.saveState()
        let second = try run(1)
        #expect(try run(1) != second)
        kernel.restoreState()
        #expect(try run(1) == second)
        kernel.resetState()
        #expect(try run(0) == first)
        _ = try kernel.prepare(inputShape: expected.inputShape)
        #expect(try run(0) == first)
        let fresh = try ReferenceRun.prepared(name)
        _ = try fresh.answer(to: expected.inputs[0], outputBytes: count)
        fresh.restoreState()
        #expect(try fresh.answer(to: expected.inputs[0], outputBytes: count) == first)
    }

    @Test func operatorsOfOneModelShareNoState() throws {
        let expected = try ReferenceRun.named("svdf")
        let model = try ReferenceRun.model("svdf")
        let kernels = try (0..<2).map { _ in try RecurrentOperator(model, subgraph: 0, operator: 0) }
        for kernel in kernels { _ = try kernel.prepare(inputShape: expected.inputShape) }
        let count = expected.outputs[0].count
        let first = try kernels[0].answer(to: expected.inputs[0], outputBytes: count)
        #expect(try kernels[1].answer(to: expected.inputs[0], outputBytes: count) == first)
    }

    @Test(arguments: [
        "sequence_lstm", "sequence_lstm_layer_norm", "rnn_step", "svdf", "hybrid_lstm_step", "hybrid_svdf_asymmetric",
    ])
    func notANumberComesOutAsSuch(name: String) throws {
        let expected = try ReferenceRun.named(name)
        let kernel = try ReferenceRun.prepared(name)
        let input = Data(repeating: 0xFF, count: expected.inputs[0].count)
        let answer = try kernel.answer(to: input, outputBytes: expected.outputs[0].count)
        #expect(answer.floats.allSatisfy { $0.isNaN })
    }
}

import HearthModelFile
import HearthTestSupport
import Testing

@testable import HearthKernels

/// What is not computed is refused by name, with the operator's place, so that somebody can export another form.
@Suite struct UnsupportedVariantTests {
    struct Variant: Sendable, CustomTestStringConvertible {
        let text: String
        let model: String
        let change: @Sendable (inout BrokenOperator) -> Void

        var testDescription: String { text }
    }

    static let variants = [
        Variant(text: "is a basic LSTM of 5 inputs", model: "lstm_step") {
            $0.node.recurrentOptions?.isBasicKernel = true
        },
        Variant(text: "has diagonal recurrent weights", model: "sequence_lstm") {
            $0.node.recurrentOptions?.hasDiagonalRecurrence = true
        },
        Variant(text: "has the activation 0", model: "sequence_lstm") { $0.node.recurrentOptions?.activation = 0 },
        Variant(text: "has the activation 77", model: "rnn_step") { $0.node.recurrentOptions?.activation = 77 },
        Variant(text: "has the activation -1", model: "svdf") { $0.node.recurrentOptions?.activation = -1 },
        Variant(text: "is an int8 LSTM with projection", model: "int8_lstm_step") { $0.node.inputs[16] = 1 },
        Variant(text: "is an int8 LSTM with peepholes", model: "int8_lstm_step") {
            $0.node.inputs.replaceSubrange(9...11, with: [1, 1, 1])
        },
        Variant(text: "is an int8 LSTM with layer normalization", model: "int8_lstm_step") {
            $0.node.inputs.replaceSubrange(20...23, with: [1, 1, 1, 1])
        },
        Variant(text: "is an int8 LSTM with 12 intermediate tensors", model: "int8_lstm_step") {
            $0.node.intermediates += $0.node.intermediates + $0.node.intermediates.prefix(2)
        },
        Variant(text: "is a hybrid of float32 activations and uint8 weights", model: "sequence_lstm") {
            $0[2].type = .uint8
        },
        Variant(text: "is a hybrid of float32 activations and float16 weights", model: "svdf") {
            $0[1].type = .float16
        },
        Variant(text: "is a hybrid of float32 activations and int4 weights", model: "rnn_step") { $0[1].type = .int4 },
        Variant(text: "turns int16 into float32", model: "sequence_lstm") { $0[0].type = .int16 },
        Variant(text: "has int8 activations and int8 weights", model: "svdf") {
            $0[0].type = .int8
            $0[1].type = .int8
            $0.graph.subgraphs[0].tensors[$0.node.outputs[0]].type = .int8
        },
        Variant(text: "has more than one scale", model: "int8_lstm_step") {
            $0[2].quantization?.scales = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
        },
        Variant(text: "has a cell state of scale", model: "int8_lstm_step") {
            $0[19].quantization?.scales = [0.0005]
        },
        Variant(text: "has a cell state of scale", model: "int8_lstm_step") {
            $0[19].quantization?.scales = [0x1p-16]
        },
        Variant(text: "is a recurrent operator of this kind", model: "rnn_step") { $0.node.builtinCode = 46 },
    ]

    @Test(arguments: variants)
    func namesTheVariant(variant: Variant) throws {
        var broken = try BrokenOperator(variant.model)
        variant.change(&broken)
        let error = #expect(throws: ModelFileError.self) { try broken.load() }
        #expect(error?.code == .unsupported)
        let start = "this engine cannot run the model: operator 0 (\(broken.node.name)) of subgraph 0 \(variant.text)"
        #expect(error?.message.hasPrefix(start) == true, "\(error?.message ?? "")")
    }

    /// Slots whose scales matter: input and states in integers, weights also in hybrids.
    @Test(arguments: [
        ("int8_lstm_step", [0, 1, 2, 5, 8, 18, 19]), ("hybrid_sequence_lstm_everything", [1, 4, 5, 8, 9, 11, 16]),
        ("hybrid_rnn_step", [1, 2]), ("hybrid_svdf", [1, 2]),
    ])
    func refusesImpossibleQuantization(name: String, slots: [Int]) throws {
        for slot in slots { try refusesImpossibleQuantization(name, slot) }
    }

    private func refusesImpossibleQuantization(_ name: String, _ slot: Int) throws {
        let sound = try BrokenOperator(name)
        for scale in [Float.nan, .infinity, 0, -1] {
            var broken = sound
            broken[slot].quantization?.scales = [scale]
            let error = #expect(throws: ModelFileError.self) { try broken.load() }
            #expect(error?.code == .malformed)
        }
        for zeroPoint in [Int64.max, .min, 128, -129] {
            var broken = sound
            broken[slot].quantization?.zeroPoints = [zeroPoint]
            #expect(throws: ModelFileError.self) { try broken.load() }
        }
        for scale in [Float.leastNonzeroMagnitude, .greatestFiniteMagnitude] {
            var broken = sound
            broken[slot].quantization?.scales = [scale]
            _ = try? broken.load()
        }
        var broken = sound
        broken[slot].quantization = nil
        let error = #expect(throws: ModelFileError.self) { try broken.load() }
        #expect(error?.code == .malformed)
    }

    @Test func refusesInt8WithoutTheIntermediateOutput() throws {
        let sound = try BrokenOperator("int8_lstm_step")
        var broken = sound
        broken.node.intermediates.removeLast()
        #expect(throws: ModelFileError.self) { try broken.load() }
        broken.node.intermediates.append(.max)
        #expect(throws: ModelFileError.self) { try broken.load() }
        broken = sound
        for scale in [Float.nan, 0, .leastNonzeroMagnitude] {
            broken.graph.subgraphs[0].tensors[sound.node.intermediates[4]].quantization?.scales = [scale]
            #expect(throws: ModelFileError.self) { try broken.load() }
        }
    }

    @Test func takesAnyClip() throws {
        for name in ["int8_lstm_step", "sequence_lstm_projection"] {
            let expected = try ReferenceRun.named(name)
            for clip in [Float.nan, .infinity, -1, .leastNonzeroMagnitude, .greatestFiniteMagnitude] {
                var model = try BrokenOperator(name)
                model.node.recurrentOptions?.cellClip = clip
                model.node.recurrentOptions?.projectionClip = clip
                let kernel = try model.load()
                _ = try kernel.prepare(inputShape: expected.inputShape)
                _ = try kernel.answer(to: expected.inputs[0], outputBytes: expected.outputs[0].count)
            }
        }
    }
}

import HearthModelFile
import HearthTestSupport
import Testing

@testable import HearthKernels

/// Shapes, types and bytes that do not fit together are refused, whatever the operator and the slot.
@Suite struct DamagedWeightsTests {
    static let names = [
        "sequence_lstm_everything", "sequence_lstm_peephole", "lstm_20_slots", "int8_sequence_lstm", "rnn_step",
        "sequence_rnn", "svdf", "hybrid_sequence_lstm_everything", "hybrid_svdf",
    ]

    /// Breaks each slot but the first in turn, which is the activation and checked by `prepare`.
    private func refusesEachSlot(
        of name: String, _ codes: Set<ModelFileError.Code> = [.malformed],
        breaking: (inout ModelGraph.Tensor) -> Void, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let sound = try BrokenOperator(name)
        try sound.load()
        for slot in sound.slots.dropFirst() {
            var broken = sound
            breaking(&broken[slot])
            guard broken[slot] != sound[slot] else { continue }
            let error = #expect(throws: ModelFileError.self, "slot \(slot)", sourceLocation: location) {
                try broken.load()
            }
            guard let error else { continue }
            #expect(codes.contains(error.code), "slot \(slot): \(error)", sourceLocation: location)
            #expect(error.message.contains("operator 0 (\(sound.node.name)) of subgraph 0"), sourceLocation: location)
            #expect(!error.message.contains("\n") && error.message.count < 220, sourceLocation: location)
        }
    }

    @Test(arguments: names)
    func refusesOtherShapes(name: String) throws {
        for dimension in 0...1 {
            for size in [0, -1, 1 << 31 - 1, .max, .min] {
                try refusesEachSlot(of: name, [.malformed, .tooLarge]) { tensor in
                    if tensor.shape.indices.contains(dimension) { tensor.shape[dimension] = size }
                }
            }
            try refusesEachSlot(of: name) { tensor in
                if tensor.shape.indices.contains(dimension) && !tensor.isVariable { tensor.shape[dimension] += 1 }
            }
        }
        try refusesEachSlot(of: name) { $0.shape = [] }
        try refusesEachSlot(of: name) { if !$0.isVariable { $0.shape = [3, 5, 7] } }
        try refusesEachSlot(of: name) { if $0.isVariable { $0.shape[1] += 1 } }
    }

    @Test(arguments: names)
    func refusesBytesThatDoNotFillTheShape(name: String) throws {
        try refusesEachSlot(of: name) { $0.data = $0.data.map { $0.lowerBound..<$0.upperBound - 4 } }
        try refusesEachSlot(of: name) { $0.data = $0.data.map { $0.lowerBound..<$0.upperBound + 1 } }
        try refusesEachSlot(of: name) { $0.data = $0.data.map { $0.lowerBound..<$0.lowerBound } }
        try refusesEachSlot(of: name) { $0.data = $0.data.map { (1 << 40)..<(1 << 40) + $0.count } }
    }

    @Test(arguments: names)
    func refusesOtherTypes(name: String) throws {
        for type in [ElementType.int4, .uint8, .float16, .int64, .string, ElementType(rawValue: 99)] {
            try refusesEachSlot(of: name, [.unsupported]) { $0.type = type }
        }
    }

    @Test(arguments: names)
    func refusesWeightsThatAreComputed(name: String) throws {
        try refusesEachSlot(of: name, [.unsupported]) { $0.data = nil }
    }

    @Test(arguments: names)
    func refusesStateThatIsNoVariable(name: String) throws {
        try refusesEachSlot(of: name) { $0.isVariable = false }
    }

    @Test(arguments: names)
    func refusesTensorsThatDoNotExist(name: String) throws {
        let sound = try BrokenOperator(name)
        for slot in sound.slots {
            for index in [sound.graph.subgraphs[0].tensors.count, .max, -2, .min] {
                var broken = sound
                broken.node.inputs[slot] = index
                #expect(throws: ModelFileError.self, "slot \(slot)") { try broken.load() }
            }
        }
        for outputs in [[], [0, 0], [-1], [Int.max]] {
            var broken = sound
            broken.node.outputs = outputs
            #expect(throws: ModelFileError.self) { try broken.load() }
        }
    }

    @Test(arguments: names)
    func refusesMissingInputs(name: String) throws {
        let optional = [
            "sequence_lstm_everything": [17], "hybrid_sequence_lstm_everything": [17], "svdf": [3], "hybrid_svdf": [3],
        ][name, default: []]
        let sound = try BrokenOperator(name)
        for slot in sound.slots where !optional.contains(slot) {
            var broken = sound
            broken.node.inputs[slot] = -1
            let error = #expect(throws: ModelFileError.self, "slot \(slot)") { try broken.load() }
            #expect(error?.code == .malformed)
        }
        for count in 0..<sound.node.inputs.count where count != 20 {
            var broken = sound
            broken.node.inputs.removeLast(sound.node.inputs.count - count)
            #expect(throws: ModelFileError.self, "\(count) inputs") { try broken.load() }
        }
        var broken = sound
        broken.node.recurrentOptions = nil
        let error = #expect(throws: ModelFileError.self) { try broken.load() }
        #expect(error?.code == .malformed)
    }

    @Test func refusesStatesBeyondAnyNeed() throws {
        var broken = try BrokenOperator("rnn_step")
        broken[4].shape = [1 << 24, 6]
        let error = #expect(throws: ModelFileError.self) { try broken.load() }
        #expect(error?.code == .tooLarge)
    }

    @Test func refusesOperatorsThatDoNotExist() throws {
        let model = try ReferenceRun.model("rnn_step")
        for (subgraph, number) in [(0, 1), (1, 0), (-1, 0), (0, -1), (Int.max, Int.max)] {
            let error = #expect(throws: ModelFileError.self) {
                try RecurrentOperator(model, subgraph: subgraph, operator: number)
            }
            #expect(error?.code == .malformed)
        }
    }

    @Test func refusesRanksThatDoNotDivideTheFilters() throws {
        for rank in [0, -1, 4, .max, .min] {
            var broken = try BrokenOperator("svdf")
            broken.node.recurrentOptions?.rank = rank
            let error = #expect(throws: ModelFileError.self) { try broken.load() }
            #expect(error?.code == .malformed)
        }
    }

    @Test(arguments: ["lstm_step", "rnn_step", "svdf", "int8_lstm_step"])
    func readsConstantsAtAnyAddress(name: String) throws {
        let sound = try BrokenOperator(name)
        var bytes = sound.bytes.withUnsafeBytes { [UInt8]($0) }
        var graph = sound.graph
        for index in graph.subgraphs[0].tensors.indices {
            guard let data = graph.subgraphs[0].tensors[index].data, !data.isEmpty else { continue }
            if bytes.count.isMultiple(of: 2) { bytes.append(0) }
            graph.subgraphs[0].tensors[index].data = bytes.count..<bytes.count + data.count
            bytes += bytes[data]
        }
        let kernel = try BrokenOperator(bytes: ModelBytes(copying: bytes), graph: graph).load()
        let expected = try ReferenceRun.named(name)
        _ = try kernel.prepare(inputShape: expected.inputShape)
        let reference = try ReferenceRun.prepared(name)
        let count = expected.outputs[0].count
        #expect(
            try kernel.answer(to: expected.inputs[0], outputBytes: count)
                == reference.answer(to: expected.inputs[0], outputBytes: count))
    }
}

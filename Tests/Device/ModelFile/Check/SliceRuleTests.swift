import HearthModelFile
import Testing

/// Rule R16 for slices with strides. Each failing model here made the engine write past a tensor's end, or read past one.
@Suite struct SliceRuleTests {
    /// A slice of two begins that are calculated; nil ends or strides are calculated, too.
    private func slice(
        ends: [Int32]? = [1, 3], strides: [Int32]? = [1, 2], masks: [Int: Int32] = [:], endsAreOffsets: Bool = true
    ) -> TestModel {
        func list(_ name: String, _ numbers: [Int32]?) -> TestModel.Tensor {
            TestModel.Tensor(
                name: name, shape: [Int32(numbers?.count ?? 2)], type: .int32,
                data: numbers.map { $0.flatMap(\.littleEndianBytes) })
        }
        var model = TestModel()
        model.subgraphs[0].tensors = [
            TestModel.Tensor(name: "x", shape: [2, 4]), list("begins", nil), list("ends", ends),
            list("strides", strides), TestModel.Tensor(name: "y", shape: [1, 2]),
        ]
        model.subgraphs[0].inputs = [0, 1] + (ends == nil ? [2] : []) + (strides == nil ? [3] : [])
        model.subgraphs[0].outputs = [4]
        var options: [Int: FlatField] = [5: .integer(UInt8(endsAreOffsets ? 1 : 0))]
        for (field, mask) in masks { options[field] = .integer(mask) }
        model.subgraphs[0].nodes = [
            .init(code: 45, inputs: [0, 1, 2, 3], outputs: [4], options: (32, options))
        ]
        return model
    }

    @Test func acceptsEndsThatTellTheSizeOfTheResult() throws {
        for model in [
            slice(), slice(ends: [0, 0]), slice(masks: [0: 3, 4: 1]),
            slice(ends: nil, strides: nil, endsAreOffsets: false),
            slice(ends: [-1, 3], strides: [-1, 2], masks: [1: 3, 2: 1, 3: 2], endsAreOffsets: false),
        ] {
            try model.file().checkForLoading()
        }
    }

    @Test func refusesEndsAsOffsetsThatDoNotTellTheSize() {
        for (what, model) in [
            ("calculated ends", slice(ends: nil)), ("calculated strides", slice(strides: nil)),
            ("a negative end", slice(ends: [1, -1])), ("a negative stride", slice(strides: [-1, 2])),
            ("no stride", slice(strides: [1, 0])), ("a mask of ends", slice(masks: [1: 1])),
            ("an ellipsis", slice(masks: [2: 1])), ("a new axis", slice(masks: [3: 2])),
        ] {
            let error = #expect(throws: ModelFileError.self) { try model.file().checkForLoading() }
            #expect(error?.code == .unsupported, "\(what)")
            #expect(error?.message.contains("(STRIDED_SLICE) of subgraph 0 counts its ends from") == true, "\(what)")
        }
    }

    @Test func eachBeginHasAStride() {
        let model = slice(strides: [1], endsAreOffsets: false)
        let error = #expect(throws: ModelFileError.self) { try model.file().checkForLoading() }
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("(STRIDED_SLICE) of subgraph 0 has 1 strides for 2 begins") == true)
    }
}

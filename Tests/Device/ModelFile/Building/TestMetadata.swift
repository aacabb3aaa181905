/// A metadata block that uses every kind of field.
enum TestMetadata {
    /// - Parameter labelFiles: names and locales of the label files of the only output.
    static func block(labelFiles: [(name: String, locale: String?)] = [("labels.txt", nil)]) -> [UInt8] {
        let image: [Int: FlatField] = [
            0: .string("image"), 1: .string("what to look at"),
            2: .node(.nodes([.string("batch"), .string("height")])),
            3: .node(
                .table([
                    0: .integer(UInt8(2)),
                    1: .node(
                        .table([
                            0: .integer(Int8(1)),
                            1: .node(.table([0: .integer(UInt32(224)), 1: .integer(UInt32(192))])),
                        ])),
                    2: .node(.table([0: .integer(Int32(1)), 1: .integer(Int32(2))])),
                ])),
            4: .tables([
                unit(1, [0: .node(.floats([127.5])), 1: .node(.floats([128, 64, 32]))]),
                unit(2, [0: .integer(Int8(2)), 1: .float(0.25)]),
                unit(3, [0: .float(0.35)]),
                unit(9, [:]),
            ]),
            5: .node(.table([0: .node(.floats([1])), 1: .node(.floats([-1]))])),
        ]
        let boxes: [Int: FlatField] = [
            0: .string("scores"),
            3: .node(
                .table([
                    0: .integer(UInt8(3)),
                    1: .node(
                        .table([
                            0: .node(.integers([1, 0, 3, 2] as [UInt32])), 1: .integer(Int8(1)), 2: .integer(Int8(1)),
                        ])),
                ])),
            6: .tables(labelFiles.map { file($0.name, kind: 2, locale: $0.locale) }),
        ]
        let subgraph: [Int: FlatField] = [
            0: .string("main"), 2: .tables([image]), 3: .tables([boxes]),
            8: .tables([[0: .string("result"), 1: .node(.nodes([.string("location"), .string("score")]))]]),
            9: .tables([[0: .string("DETECTOR_METADATA"), 1: .node(.integers([1, 2, 3] as [UInt8]))]]),
        ]
        return FlatBufferBuilder.build(
            .table([
                0: .string("Flowers"), 1: .string("Names flowers."), 2: .string("v2"), 3: .tables([subgraph]),
                4: .string("Ada"), 5: .string("Apache-2.0"), 6: .tables([file("notes.txt", kind: 1, locale: nil)]),
                7: .string("1.3.0"),
            ]), identifier: "M001")
    }

    /// Of outputs with these label files, and nothing else. Kind 2 is labels by axis, kind 3 labels by value.
    static func block(outputs: [[(name: String, kind: Int8)]]) -> [UInt8] {
        let outputs = outputs.map { files -> [Int: FlatField] in
            [6: .tables(files.map { file($0.name, kind: $0.kind, locale: nil) })]
        }
        return FlatBufferBuilder.build(.table([3: .tables([[3: .tables(outputs)]])]), identifier: "M001")
    }

    private static func unit(_ kind: UInt8, _ options: [Int: FlatField]) -> [Int: FlatField] {
        [0: .integer(kind), 1: .node(.table(options))]
    }

    private static func file(_ name: String, kind: Int8, locale: String?) -> [Int: FlatField] {
        var fields: [Int: FlatField] = [0: .string(name), 2: .integer(kind)]
        fields[3] = locale.map(FlatField.string)
        return fields
    }
}

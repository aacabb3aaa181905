import HearthModelFile

/// A small model to be written, by default sound: one RELU from `x` to `y`.
struct TestModel {
    struct Tensor {
        var name: String? = nil
        var shape: [Int32] = [1, 4]
        var shapeSignature: [Int32]? = nil
        var type = ElementType.float32
        var data: [UInt8]? = nil
        var scales: [Float] = []
        var zeroPoints: [Int64] = []
        var dimension: Int32 = 0
        var details: UInt8 = 0
        /// The tensor with block-wise scales, and the size of a block.
        var blocks: (scales: Int32, size: Int32)? = nil
        var isVariable = false
        var externalBuffer: UInt32 = 0
        var sparsity: [Int: FlatField]? = nil
    }

    struct Node {
        var code: Int32
        /// The number for old readers; nil for the usual one.
        var oldCode: Int8? = nil
        var custom: String? = nil
        var inputs: [Int32]
        var outputs: [Int32]
        var intermediates: [Int32] = []
        var mutating: [UInt8] = []
        var options: (type: UInt8, table: [Int: FlatField])? = nil
        var customOptions: [UInt8]? = nil
        /// Where in the file options lie that are too large for a flatbuffer.
        var largeOptions: (offset: UInt64, size: UInt64)? = nil
    }

    struct Subgraph {
        var name: String? = "main"
        var tensors: [Tensor]
        var inputs: [Int32]
        var outputs: [Int32]
        var nodes: [Node]
    }

    struct Signature {
        var key: String? = "serving_default"
        var subgraph: UInt32 = 0
        var inputs: [(name: String?, tensor: UInt32)]
        var outputs: [(name: String?, tensor: UInt32)]
    }

    var version: UInt32 = 3
    var subgraphs = [
        Subgraph(
            tensors: [Tensor(name: "x"), Tensor(name: "y")], inputs: [0], outputs: [1],
            nodes: [Node(code: 19, inputs: [0], outputs: [1])])
    ]
    var signatures: [Signature] = []
    var metadata: [(name: String, data: [UInt8])] = []

    func bytes() -> [UInt8] {
        var buffers: [[UInt8]?] = [nil]
        var codes: [[Int: FlatField]] = []
        let subgraphFields = subgraphs.map { Self.fields($0, &buffers, &codes) }
        var metadataFields: [[Int: FlatField]] = []
        for entry in metadata {
            metadataFields.append([0: .string(entry.name), 1: .integer(UInt32(buffers.count))])
            buffers.append(entry.data)
        }
        return FlatBufferBuilder.build(
            .table([
                0: .integer(version), 1: .tables(codes), 2: .tables(subgraphFields), 3: .string("made by a test"),
                4: .tables(buffers.map { $0.map { [0: .node(.scalars($0, width: 1))] } ?? [:] }),
                6: .tables(metadataFields), 7: .tables(signatures.map(Self.fields)),
            ]), identifier: "TFL3")
    }

    func file() throws -> ModelFile {
        try ModelFile(ModelBytes(copying: bytes()))
    }

    private static func fields(
        _ subgraph: Subgraph, _ buffers: inout [[UInt8]?], _ codes: inout [[Int: FlatField]]
    ) -> [Int: FlatField] {
        let tensors = subgraph.tensors.map { Self.fields($0, &buffers) }
        let nodes = subgraph.nodes.map { node in
            codes.append([
                0: .integer(node.oldCode ?? Int8(clamping: node.code)), 2: .integer(Int32(1)), 3: .integer(node.code),
                1: .string(node.custom ?? ""),
            ])
            return Self.fields(node, code: UInt32(codes.count - 1))
        }
        var fields: [Int: FlatField] = [
            0: .tables(tensors), 1: .node(.integers(subgraph.inputs)), 2: .node(.integers(subgraph.outputs)),
            3: .tables(nodes),
        ]
        fields[4] = subgraph.name.map(FlatField.string)
        return fields
    }

    private static func fields(_ tensor: Tensor, _ buffers: inout [[UInt8]?]) -> [Int: FlatField] {
        var fields: [Int: FlatField] = [
            0: .node(.integers(tensor.shape)), 1: .integer(tensor.type.rawValue), 2: .integer(UInt32(buffers.count)),
            5: .integer(UInt8(tensor.isVariable ? 1 : 0)), 10: .integer(tensor.externalBuffer),
        ]
        // Like exporters: every tensor has a buffer of its own, empty unless it is a constant.
        buffers.append(tensor.data)
        fields[3] = tensor.name.map(FlatField.string)
        fields[6] = tensor.sparsity.map { .node(.table($0)) }
        fields[7] = tensor.shapeSignature.map { .node(.integers($0)) }
        if !tensor.scales.isEmpty || !tensor.zeroPoints.isEmpty || tensor.details != 0 {
            var quantization: [Int: FlatField] = [
                2: .node(.floats(tensor.scales)), 3: .node(.integers(tensor.zeroPoints)),
                6: .integer(tensor.dimension),
            ]
            if tensor.details != 0 {
                quantization[4] = .integer(tensor.details)
                quantization[5] = .node(
                    .table(tensor.blocks.map { [0: .integer($0.scales), 2: .integer($0.size)] } ?? [:]))
            }
            fields[4] = .node(.table(quantization))
        }
        return fields
    }

    private static func fields(_ node: Node, code: UInt32) -> [Int: FlatField] {
        var fields: [Int: FlatField] = [
            0: .integer(code), 1: .node(.integers(node.inputs)), 2: .node(.integers(node.outputs)),
        ]
        if let options = node.options {
            fields[3] = .integer(options.type)
            fields[4] = .node(.table(options.table))
        }
        fields[5] = node.customOptions.map { .node(.scalars($0, width: 1)) }
        if !node.mutating.isEmpty { fields[7] = .node(.scalars(node.mutating, width: 1)) }
        if let options = node.largeOptions {
            fields[9] = .integer(options.offset)
            fields[10] = .integer(options.size)
        }
        if !node.intermediates.isEmpty { fields[8] = .node(.integers(node.intermediates)) }
        return fields
    }

    private static func fields(_ signature: Signature) -> [Int: FlatField] {
        func names(_ tensors: [(name: String?, tensor: UInt32)]) -> FlatField {
            .tables(
                tensors.map { tensor in
                    var fields: [Int: FlatField] = [1: .integer(tensor.tensor)]
                    fields[0] = tensor.name.map(FlatField.string)
                    return fields
                })
        }
        var fields: [Int: FlatField] = [
            0: names(signature.inputs), 1: names(signature.outputs), 4: .integer(signature.subgraph),
        ]
        fields[2] = signature.key.map(FlatField.string)
        return fields
    }
}

extension TestModel.Tensor {
    /// A uint8 tensor with one scale.
    static func quantized(_ name: String, scale: Float = 0.5, zeroPoint: Int64 = 128) -> Self {
        Self(name: name, type: .uint8, scales: [scale], zeroPoints: [zeroPoint])
    }
}

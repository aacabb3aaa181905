import Testing

@testable import HearthModelFile

/// The way from a tensor to the custom operator in the place of an output, followed back from its end. Each step is
/// expected to be what the engine and the custom operator count on.
struct Diversion {
    /// The tensor that was the output.
    let source: Int
    /// The output's bytes as the custom operator's second input describes them.
    let bytes: ModelGraph.Tensor
    /// The custom operator's name.
    let code: String
    /// How many dimensions the custom operator is told.
    let rank: Int

    init(_ file: ModelFile, subgraph number: Int, output: Int) throws {
        let steps = GraphTrace(file: file, number: number)
        let tensors = file.graph.subgraphs[number].tensors
        let marker = file.graph.subgraphs[number].outputs[output]
        steps.expect(marker, .uint8, shape: [1])
        let sink = try steps.producer(of: marker)
        #expect(sink.builtinCode == BuiltinOperator.custom && sink.customOptions == nil)
        try #require(sink.inputs.count == 2)

        let filled = try steps.producer(of: sink.inputs[0], "CONCATENATION", inputCount: 2)
        steps.expect(sink.inputs[0], .uint8, shape: [2], isOpen: true)
        steps.expectConstant(filled.inputs[1], .uint8, [0])
        let row = try steps.producer(of: filled.inputs[0], "RESHAPE", inputCount: 2)
        steps.expect(filled.inputs[0], .uint8, shape: [1], isOpen: true)
        steps.expectConstant(row.inputs[1], .int32, [255, 255, 255, 255])

        let maximum = try steps.producer(of: sink.inputs[1], "MAXIMUM", inputCount: 2)
        #expect(maximum.inputs[0] == maximum.inputs[1])
        let shape = try steps.producer(of: maximum.inputs[0], "SHAPE", inputCount: 1)
        #expect(shape.inputs == [row.inputs[0]])
        bytes = tensors[row.inputs[0]]
        rank = bytes.shape.count
        for tensor in [sink.inputs[1], maximum.inputs[0]] { steps.expect(tensor, .int32, shape: [rank]) }

        var bitcast = try steps.producer(of: row.inputs[0])
        if bitcast.name == "EXPAND_DIMS" {
            try #require(bitcast.inputs.count == 2)
            steps.expectConstant(bitcast.inputs[1], .int32, [0, 0, 0, 0])
            let flat = bitcast.inputs[0]
            bitcast = try steps.producer(of: flat)
            steps.expect(flat, .uint8, shape: Array(bytes.shape.dropFirst()), isOpen: true)
            #expect(bytes.shape.first == 1)
        }
        #expect(bitcast.name == "BITCAST" && bitcast.inputs.count == 1)
        source = try #require(bitcast.inputs.first)
        code = sink.name

        let width = tensors[source].type.bitWidth / 8
        steps.expect(
            row.inputs[0], .uint8, shape: width == 1 ? [1] + tensors[source].shape : tensors[source].shape + [width],
            isOpen: true)
    }
}

/// Looks at the tensors and operators of one subgraph.
private struct GraphTrace {
    let file: ModelFile
    let number: Int

    private var subgraph: ModelGraph.Subgraph { file.graph.subgraphs[number] }

    func producer(of tensor: Int) throws -> ModelGraph.Operator {
        let producers = subgraph.operators.filter { $0.outputs.contains(tensor) }
        try #require(producers.count == 1)
        #expect(producers[0].outputs == [tensor] && producers[0].version == 1)
        return producers[0]
    }

    func producer(of tensor: Int, _ name: String, inputCount: Int) throws -> ModelGraph.Operator {
        let producer = try producer(of: tensor)
        #expect(producer.name == name)
        try #require(producer.inputs.count == inputCount)
        return producer
    }

    /// - Parameter isOpen: Whether all dimensions are.
    func expect(_ tensor: Int, _ type: ElementType, shape: [Int], isOpen: Bool = false) {
        let tensor = subgraph.tensors[tensor]
        let signature = isOpen ? shape.map { _ in -1 } : nil
        #expect(tensor.type == type && tensor.shape == shape && tensor.shapeSignature == signature)
        #expect(tensor.data == nil && tensor.buffer == 0 && tensor.quantization == nil && !tensor.isVariable)
    }

    func expectConstant(_ tensor: Int, _ type: ElementType, _ content: [UInt8]) {
        let tensor = subgraph.tensors[tensor]
        #expect(tensor.type == type && tensor.shape == [1] && tensor.shapeSignature == nil)
        #expect(file.content(tensor.data) == content)
    }
}

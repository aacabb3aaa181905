import Testing

@testable import HearthModelFile
@testable import HearthOperatorCommands

@Suite struct GraphListingTests {
    private func tensor(
        _ name: String?, shape: [Int] = [1, 2], signature: [Int]? = nil, scales: [Float]? = nil,
        zeroPoints: [Int64] = [], data: Range<Int>? = nil
    ) -> ModelGraph.Tensor {
        ModelGraph.Tensor(
            name: name, shape: shape, shapeSignature: signature, type: .int8, buffer: 0, data: data,
            quantization: scales.map { .init(scales: $0, zeroPoints: zeroPoints, dimension: 3, detailsKind: 0) },
            isVariable: false, externalBuffer: 0)
    }

    private func graph(_ tensors: [ModelGraph.Tensor], signature: ModelGraph.Signature? = nil) -> ModelGraph {
        var graph = ModelGraph()
        let node = ModelGraph.Operator(
            codeIndex: 0, builtinCode: 119, name: "WHILE", version: 2, inputs: [0, -1], outputs: [1],
            intermediates: [], mutatesInputs: false, calledSubgraphs: [1, 2], splitCount: nil, customOptions: nil)
        graph.subgraphs = [.init(name: "main", tensors: tensors, inputs: [0], outputs: [1], operators: [node])]
        graph.signatures = [signature].compactMap { $0 }
        return graph
    }

    private func lines(_ graph: ModelGraph, tensors: Bool = true, operators: Bool = false) -> [String] {
        ListingText.lines(GraphListing(graph, includesTensors: tensors, includesOperators: operators))
    }

    @Test func signaturesHaveNamesOfTheirOwn() {
        let signature = ModelGraph.Signature(
            key: "add", subgraph: 0, inputs: [.init(name: "a", tensor: 1)], outputs: [.init(name: "sum", tensor: 0)])
        let graph = graph([tensor("y"), tensor("x", signature: [-1, 2])], signature: signature)
        #expect(
            lines(graph, tensors: false)
                == ["signature:  add", "  input:    a int8 [-1, 2]", "  output:   sum int8 [1, 2]"])
    }

    @Test func quantizationIsOfTheWholeTensorOrOfADimension() {
        let table = lines(
            graph([
                tensor("whole", scales: [0.5], zeroPoints: [-3]),
                tensor("each", scales: [0.5, 0.25], zeroPoints: [0, 0]),
                tensor("mixed", scales: [1, 2], zeroPoints: [0, 1]), tensor("plain", data: 0..<2048),
                tensor("none", scales: []),
            ]))
        #expect(table[1] == "Tensors of subgraph 0 'main':")
        #expect(
            table[2] == """
                TENSOR  NAME   TYPE  SHAPE   CONSTANT  QUANTIZATION
                     0  whole  int8  [1, 2]            scale 0.5 zero point -3
                     1  each   int8  [1, 2]            2 scales along dimension 3, 0.25 to 0.5, zero point 0
                     2  mixed  int8  [1, 2]            2 scales along dimension 3, 1.0 to 2.0, zero point of their own
                     3  plain  int8  [1, 2]   2.0 KiB
                     4  none   int8  [1, 2]
                """)
    }

    @Test func operatorsComeInOrderWithWhatTheyRun() {
        let table = lines(graph([tensor("x"), tensor("y")]), tensors: false, operators: true)
        #expect(
            table.last == """
                NODE  OPERATOR                    VERSION  INPUTS  OUTPUTS
                   0  WHILE (runs subgraph 1, 2)        2  0 -     1
                """)
    }

    /// The probe lets models pass whose damage no engine here would ever meet.
    @Test func whatPointsNowhereIsLeftOut() {
        var signature = ModelGraph.Signature(
            key: "f", subgraph: 0, inputs: [.init(name: "a", tensor: 9)], outputs: [.init(name: "b", tensor: -1)])
        #expect(lines(graph([tensor("x")], signature: signature), tensors: false) == ["signature:  f"])
        signature.subgraph = 7
        #expect(lines(graph([tensor("x")], signature: signature), tensors: false) == ["signature:  f"])
    }

    @Test func scalesThatAreNoNumberAreStillWritten() throws {
        let tensors = [tensor("x", scales: [.nan]), tensor("y", scales: [.infinity, 1])]
        let listing = GraphListing(graph(tensors), includesTensors: true, includesOperators: false)
        #expect(listing.subgraphs?[0].tensors?[0].quantization?.scales == [nil])
        #expect(lines(graph(tensors))[2].contains("scale no number"))
    }

    @Test func namesCannotMoveTheCursor() {
        let signature = ModelGraph.Signature(
            key: "a\u{1B}[2J\n", subgraph: 0, inputs: [.init(name: "\u{202E}x", tensor: 0)], outputs: [])
        #expect(
            lines(graph([tensor("x")], signature: signature), tensors: false)
                == ["signature:  a?[2J?", "  input:    ?x int8 [1, 2]"])
    }
}

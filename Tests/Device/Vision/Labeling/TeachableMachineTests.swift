import HearthTestSupport
import Testing

@testable import HearthModelFile
@testable import HearthVision

@Suite("Models that Teachable Machine exports")
struct TeachableMachineTests {
    /// A graph with the names and the operators of an export: another model's, with other names.
    private func graph(output: String = "sequential_3", depthwise: Int = 17) throws -> ModelGraph {
        var graph = try ModelFile(ModelBytes(contentsOfFile: Labeler.bundle("digits-labeler/model.tflite"))).graph
        graph.signatures[0].inputs[0].name = "sequential_1_input"
        graph.signatures[0].outputs[0].name = output
        var node = try #require(graph.subgraphs[0].operators.first)
        node.name = "DEPTHWISE_CONV_2D"
        let last = try #require(graph.subgraphs[0].operators.last { $0.name == "SOFTMAX" })
        graph.subgraphs[0].operators = Array(repeating: node, count: depthwise) + [last]
        return graph
    }

    @Test("the middle square of an image goes in, as values from -1 to 1")
    func usual() throws {
        let usual = UsualInput(ofLabeler: try graph(), exporter: nil)
        #expect(usual.placement == .crop)
        #expect(usual.normalization == .minusOneToOne)
    }

    @Test("other networks, and other names, are not taken for such a model")
    func others() throws {
        for graph in [try graph(depthwise: 16), try graph(output: "sequential_2"), try graph(output: "dense_3")] {
            let usual = UsualInput(ofLabeler: graph, exporter: nil)
            #expect(usual.placement == nil && usual.normalization == nil)
        }
    }
}

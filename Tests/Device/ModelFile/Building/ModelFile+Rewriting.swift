import Foundation
import HearthModelFile
import HearthTestSupport

extension ModelFile {
    /// All models of the package's fixtures, by paths below their folder.
    static let fixtureNames = (FileManager.default.enumerator(atPath: TestPaths.fixtures.path)?.allObjects ?? [])
        .compactMap { $0 as? String }.filter { $0.hasSuffix(".tflite") }.sorted()

    init(fixture name: String) throws {
        try self.init(contentsOfFile: TestPaths.fixtures.appendingPathComponent(name).path)
    }

    func rewritten(_ change: (inout ModelRewrite) -> Void) throws -> ModelFile {
        var rewrite = ModelRewrite(self)
        change(&rewrite)
        return try rewrite.modelFile()
    }

    /// Diverts these outputs, in this order, to "Sink".
    func diverting(_ outputs: [Int], ofSubgraph subgraph: Int = 0) throws -> ModelFile {
        try rewritten {
            for output in outputs { $0.divertOutput(output, ofSubgraph: subgraph, toCustom: "Sink") }
        }
    }

    func content(_ range: Range<Int>?) -> [UInt8]? {
        range.map { range in bytes.withUnsafeBytes { [UInt8]($0[range]) } }
    }
}

extension ModelGraph {
    /// Without the places of contents in the file, which a rewrite moves.
    var withoutPlaces: ModelGraph {
        var graph = self
        for subgraph in graph.subgraphs.indices {
            for tensor in graph.subgraphs[subgraph].tensors.indices {
                graph.subgraphs[subgraph].tensors[tensor].data = nil
            }
            for node in graph.subgraphs[subgraph].operators.indices {
                graph.subgraphs[subgraph].operators[node].customOptions = nil
            }
        }
        for entry in graph.metadata.indices { graph.metadata[entry].data = nil }
        return graph
    }
}

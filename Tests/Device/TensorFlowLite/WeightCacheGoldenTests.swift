import Foundation
import HearthModelFile
import HearthTestSupport
import TensorFlowLite
import Testing

/// Real models, some in several pieces and some resized, give the same bytes whether their weights come from a cache.
struct WeightCacheGoldenTests {
    @Test(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"), arguments: try GoldenRun.all())
    func matchesBuildingAndReadingTheCache(run: GoldenRun) throws {
        let folder = try TemporaryFolder()
        let options = try Interpreter.Options.with { $0.weightCache = try WeightCache(directory: folder.path) }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        for _ in 0..<2 { #expect(try outputHashes(of: run, options) == run.outputHashes) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count <= 1)
    }

    private func outputHashes(of run: GoldenRun, _ options: Interpreter.Options) throws -> [String] {
        let model = try ModelFile(ModelBytes(contentsOfFile: run.modelURL.path))
        let interpreter = try Interpreter(model: model, options: options)
        let order = try run.order(in: model.graph)
        // With the file's shapes first, so that a resize comes after the cache was made.
        try? interpreter.allocateTensors()
        for (index, shape) in run.resizes { try interpreter.resizeInput(at: order.inputs[index], to: shape) }
        try interpreter.allocateTensors()
        for (k, index) in order.inputs.enumerated() {
            try interpreter.copy(run.input(k, like: interpreter.input(at: index)), toInputAt: index)
        }
        try interpreter.invoke()
        return try SHA256Sum.of(order.outputs.map { try interpreter.output(at: $0).data })
    }
}

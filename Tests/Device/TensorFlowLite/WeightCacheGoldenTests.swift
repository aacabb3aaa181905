import Foundation
import HearthModelFile
import HearthTestSupport
import TensorFlowLite
import Testing

/// Real models, some in several pieces and some resized, give the same bytes whether their weights come from a cache.
struct WeightCacheGoldenTests {
    @Test(
        .enabled(if: TestPaths.hasSharedData, "the shared data is absent"),
        arguments: try GoldenRun.all().filter { !$0.fails && !$0.needsBuiltInKernels })
    func matchesBuildingAndReadingTheCache(golden: GoldenRun) throws {
        let folder = try TemporaryFolder()
        let cached = try Interpreter.Options.with { $0.weightCache = try WeightCache(directory: folder.path) }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        let expected = try outputs(of: golden, Interpreter.Options())
        for _ in 0..<2 { #expect(try outputs(of: golden, cached) == expected) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count <= 1)
    }

    private func outputs(of golden: GoldenRun, _ options: Interpreter.Options) throws -> [Tensor] {
        let interpreter = try Interpreter(modelPath: golden.modelURL.path, options: options)
        // With the file's shapes first, so that a resize comes after the cache was made.
        try? interpreter.allocateTensors()
        let run = try golden.runner(interpreter)
        try run.prepare(golden)
        return try run.outputs()
    }
}

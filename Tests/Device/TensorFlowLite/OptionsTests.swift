import TensorFlowLite
import Testing

struct OptionsTests {
    @Test func comparesByValue() {
        var options = Interpreter.Options()
        #expect(options.threadCount == nil)
        #expect(!options.isXNNPackEnabled)
        #expect(options.logLevel == .silent)
        #expect(options == Interpreter.Options())
        options.threadCount = 2
        #expect(options != Interpreter.Options())
        #expect(Set([options, options, Interpreter.Options()]).count == 2)
    }

    @Test func comparesEachOption() throws {
        let cache = try WeightCache(directory: "/nowhere")
        let changed: [Interpreter.Options] = [
            .with { $0.isXNNPackEnabled = true }, .with { $0.kernelMode = .builtIn },
            .with { $0.kernelMode = .reference }, .with { $0.weightCache = cache }, .with { $0.accelerator = .gpu },
            .with { $0.acceleratorLibraryDirectory = "/" }, .with { $0.logLevel = .info },
            .with { $0.logHandler = LogHandler { _ in } }, .with { $0.isProfilingEnabled = true },
        ]
        #expect(Set(changed + [Interpreter.Options()]).count == changed.count + 1)
        #expect(try WeightCache(directory: "/nowhere") == cache)
    }

    @Test(arguments: [nil, 1, 2, 0, -1, .min, .max] as [Int?])
    func givesTheSameResultsForAnyThreadCount(threadCount: Int?) throws {
        var options = Interpreter.Options()
        options.threadCount = threadCount
        let interpreter = try Fixture.add_batch.interpreter(options)
        try interpreter.allocateTensors()
        #expect(try interpreter.run([Float(1), 3]) == [3, 9])
    }
}

import Foundation
import HearthTestSupport
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

struct KernelModeTests {
    private func profile(_ kernelMode: Interpreter.Options.KernelMode) throws -> Profile {
        let options = Interpreter.Options.with {
            $0.kernelMode = kernelMode
            $0.isProfilingEnabled = true
        }
        let interpreter = try EngineFixture.mixed.allocated(options)
        return try interpreter.profile {
            let output = try interpreter.run([Float(1.5), 2, -0.5, 0, 7.25, 8, 9, 10])
            #expect(output == [2, 4, -2, 0, 14, 16, 18, 20])
        }
    }

    @Test func runsWithXNNPackUnlessToldOtherwise() throws {
        #expect(Interpreter.Options().kernelMode == .xnnPack)
        #expect(try profile(.xnnPack).operators.contains { $0.isDelegated })
    }

    @Test(arguments: [Interpreter.Options.KernelMode.builtIn, .reference])
    func runsWithoutXNNPack(kernelMode: Interpreter.Options.KernelMode) throws {
        let operators = try profile(kernelMode).operators
        #expect(operators.map(\.name).sorted() == ["ADD", "FLOOR_MOD", "SUB"])
        #expect(!operators.contains { $0.isDelegated })
    }

    @Test func ignoresTheOriginalsSwitch() throws {
        let options = Interpreter.Options.with {
            $0.isXNNPackEnabled = false
            $0.isProfilingEnabled = true
        }
        let interpreter = try EngineFixture.mixed.allocated(options)
        #expect(try interpreter.profile { try interpreter.invoke() }.operators.contains { $0.isDelegated })
    }

    /// The plain kernel asks the C library; the optimized ones have approximations of their own.
    @Test func computesAsTheReferenceDoes() throws {
        let input = (0..<64).map { Float($0 - 32) / 9 }
        func outputs(_ kernelMode: Interpreter.Options.KernelMode) throws -> [Float] {
            try EngineFixture.tanh.allocated(.with { $0.kernelMode = kernelMode }).run(input)
        }
        let reference = try outputs(.reference)
        #expect(reference == input.map { tanhf($0) })
        for kernelMode in [Interpreter.Options.KernelMode.builtIn, .xnnPack] {
            let optimized = try outputs(kernelMode)
            #expect(optimized != reference, "\(kernelMode)")
            #expect(zip(optimized, reference).allSatisfy { abs($0 - $1) < 1e-5 })
        }
    }
}

/// Without a plug-in on this machine there is only one thing to see: an error, not a quiet run on the CPU.
struct AcceleratorTests {
    @Test(arguments: [
        (Interpreter.Options.Accelerator.gpu, "libLiteRtWebGpuAccelerator.so"), (.npu, "libLiteRtDispatch"),
    ])
    func namesTheMissingPlugIn(accelerator: Interpreter.Options.Accelerator, library: String) throws {
        let folder = try TemporaryFolder()
        for directory in [folder.path, "/nowhere", ""] {
            let options = Interpreter.Options.with {
                $0.accelerator = accelerator
                $0.acceleratorLibraryDirectory = directory
            }
            let text = reason(#expect(throws: InterpreterError.self) { try EngineFixture.mixed.interpreter(options) })
            #expect(text.contains(library) && text.contains("acceleratorLibraryDirectory"), "\(text)")
        }
    }

    @Test func runsOnTheCPUUnlessToldOtherwise() throws {
        #expect(Interpreter.Options().accelerator == .cpu)
        let options = Interpreter.Options.with { $0.acceleratorLibraryDirectory = "/nowhere" }
        #expect(try EngineFixture.dense_1.allocated(options).run([Float](repeating: 1, count: 64))[0] == 64)
    }
}

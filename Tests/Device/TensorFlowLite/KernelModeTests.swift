import Foundation
import TensorFlowLite
import Testing

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

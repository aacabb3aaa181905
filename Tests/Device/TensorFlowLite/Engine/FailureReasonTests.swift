import Foundation
import HearthModelFile
import HearthTestSupport
import Testing

@testable import TensorFlowLite

struct FailureReasonTests {
    @Test func tellsWhyAModelCannotBeCompiled() throws {
        let error = #expect(throws: InterpreterError.self) { try EngineFixture.future_version.interpreter() }
        #expect(reason(error).contains("'ADD' version '99'"), "\(reason(error))")
        #expect(!reason(error).contains("\n"))
    }

    @Test(arguments: [Interpreter.Options.KernelMode.xnnPack, .builtIn, .reference])
    func namesTheOperatorThatCannotBePrepared(kernelMode: Interpreter.Options.KernelMode) throws {
        let interpreter = try EngineFixture.unmatched_shapes.interpreter(.with { $0.kernelMode = kernelMode })
        let text = reason(#expect(throws: InterpreterError.self) { try interpreter.allocateTensors() })
        #expect(text.contains("Node number 0 (ADD) failed to prepare"), "\(text)")
        #expect(!text.contains("\n"))
        // A resize cures it: the shapes asked for count, not the file's.
        try interpreter.resizeInput(at: 0, to: [3])
        try interpreter.allocateTensors()
        try interpreter.resizeInput(at: 1, to: [5])
        #expect(reason(#expect(throws: InterpreterError.self) { try interpreter.allocateTensors() }).contains("ADD"))
    }

    /// The engine's own words, for models that the check before it would let through.
    @Test(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
    func tellsWhyTheEngineRefusesToLoad() throws {
        let path = TestPaths.shared.appendingPathComponent("models/interp/lstm.bin").path
        let bytes = try ModelBytes(contentsOfFile: path)
        let failure = #expect(throws: EngineError.self) {
            let log = RuntimeLog(nil)
            _ = try LoadedModel(bytes, environment: RuntimeEnvironment(Interpreter.Options(), log: log), log: log)
        }
        #expect(failure?.message == "Variable tensors not yet supported.")
    }

    @Test func printsNothingWhileLookingForReasons() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for _ in 0..<3 { _ = try? EngineFixture.future_version.interpreter() }
            try? EngineFixture.unmatched_shapes.interpreter().allocateTensors()
            try? EngineFixture.unmatched_shapes.allocated().invoke()
        }
        let output = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(!output.contains("ERROR") && !output.contains("INFO"), "\(output)")
    }
}

import HearthTestSupport
import TensorFlowLite
import Testing

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

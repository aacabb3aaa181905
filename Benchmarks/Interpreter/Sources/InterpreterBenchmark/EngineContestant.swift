import BenchmarkParts
import CEngineLoop

/// The same calls made directly on LiteRT's C interface, by a loop written in C.
final class EngineContestant: Contestant {
    private let loop: OpaquePointer

    init(modelPath: String, threads: Int) throws {
        var failure: UnsafePointer<CChar>?
        guard let loop = engine_loop_open(modelPath, Int32(threads), &failure) else {
            throw BenchmarkError(failure.map { String(cString: $0) } ?? "cannot open the model")
        }
        self.loop = loop
    }

    deinit {
        engine_loop_close(loop)
    }

    func runWithCopies(_ count: Int) throws {
        guard engine_loop_run_with_copies(loop, count) else { throw BenchmarkError("a run failed") }
    }

    func run(_ count: Int) throws {
        guard engine_loop_run(loop, count) else { throw BenchmarkError("a run failed") }
    }

    var output: [UInt8] {
        var count = 0
        let bytes = engine_loop_output(loop, &count)
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}

import BenchmarkParts
import CDecodeLoop
import CEngineLoop

/// Many files one after another: each is read, decoded at the smallest power of two that covers the model's input, and
/// the engine runs once. What lies between the two, and what comes after, is left out.
struct BulkFloor {
    let model: String
    let side: Int

    /// - Returns: pictures per second.
    func run(_ paths: [String]) throws -> Double {
        var failure: UnsafePointer<CChar>?
        guard let decoding = decode_loop_open(), let engine = engine_loop_open(model, 1, &failure) else {
            throw BenchmarkError(failure.map { String(cString: $0) } ?? "out of memory")
        }
        defer {
            decode_loop_close(decoding)
            engine_loop_close(engine)
        }
        var size = 0
        fill_input(engine_loop_input(engine, 0, &size), size)
        let time = try ContinuousClock().measure {
            for path in paths {
                guard decode_loop_read(decoding, path) else { throw BenchmarkError("cannot read \(path)") }
                decode_loop_choose_power_of_two(decoding, Int32(side), Int32(side))
                guard decode_loop_run(decoding, 1), engine_loop_run(engine, 1) else {
                    throw BenchmarkError("\(path) failed")
                }
            }
        }
        return Double(paths.count) / (time / .seconds(1))
    }
}

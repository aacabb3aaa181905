import BenchmarkParts
import CDecodeLoop
import CEngineLoop

/// The least work there can be: the fastest scaled decode of the photo, and a run of the engine on it, in C.
final class FloorContestant: Contestant {
    private let decoding: OpaquePointer
    private let engine: OpaquePointer

    init(_ job: Job) throws {
        guard let decoding = decode_loop_open() else { throw BenchmarkError("out of memory") }
        guard decode_loop_read(decoding, job.picture) else { throw BenchmarkError("cannot read \(job.picture)") }
        guard decode_loop_choose_fastest(decoding, Int32(job.side), Int32(job.side)) else {
            throw BenchmarkError("cannot decode \(job.picture)")
        }
        var failure: UnsafePointer<CChar>?
        guard let engine = engine_loop_open(job.model, Int32(job.threads), &failure) else {
            throw BenchmarkError(failure.map { String(cString: $0) } ?? "cannot open the model")
        }
        self.decoding = decoding
        self.engine = engine
        fillInput(side: job.side)
    }

    deinit {
        decode_loop_close(decoding)
        engine_loop_close(engine)
    }

    func `do`(_ work: String, _ count: Int) throws {
        switch work {
        case "decode":
            guard decode_loop_run(decoding, count) else { throw BenchmarkError("a decode failed") }
        case "invoke":
            guard engine_loop_run(engine, count) else { throw BenchmarkError("a run failed") }
        default: throw BenchmarkError("there is no work '\(work)'")
        }
    }

    func output() throws -> String {
        var (numerator, denominator): (Int32, Int32) = (0, 0)
        decode_loop_scale(decoding, &numerator, &denominator)
        return "decoded at \(numerator)/\(denominator)"
    }

    /// Shows the engine the photo, since what a detector has to do depends on what it sees. Nearest pixels are enough.
    private func fillInput(side: Int) {
        _ = decode_loop_run(decoding, 1)
        var (width, height): (Int32, Int32) = (0, 0)
        var size = 0
        guard let pixels = decode_loop_pixels(decoding, &width, &height),
            let input = engine_loop_input(engine, 0, &size)
        else { return }
        let isFloat = size == side * side * 3 * 4
        for y in 0..<side {
            for x in 0..<side {
                let source = pixels + (y * Int(height) / side * Int(width) + x * Int(width) / side) * 3
                for channel in 0..<3 {
                    let place = (y * side + x) * 3 + channel
                    if isFloat {
                        UnsafeMutableRawPointer(input).storeBytes(
                            of: (Float(source[channel]) - 127.5) / 127.5, toByteOffset: place * 4, as: Float.self)
                    } else {
                        input[place] = source[channel]
                    }
                }
            }
        }
    }
}

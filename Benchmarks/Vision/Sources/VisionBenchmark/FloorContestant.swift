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
        let frame = Frame(of: decoding, job)
        guard decode_loop_choose_fastest(decoding, Int32(frame.width), Int32(frame.height)) else {
            throw BenchmarkError("cannot decode \(job.picture)")
        }
        var failure: UnsafePointer<CChar>?
        guard let engine = engine_loop_open(job.model, Int32(job.threads), &failure) else {
            throw BenchmarkError(failure.map { String(cString: $0) } ?? "cannot open the model")
        }
        self.decoding = decoding
        self.engine = engine
        try fillInput(job, frame)
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
    private func fillInput(_ job: Job, _ frame: Frame) throws {
        _ = decode_loop_run(decoding, 1)
        var (width, height): (Int32, Int32) = (0, 0)
        var size = 0
        guard let pixels = decode_loop_pixels(decoding, &width, &height),
            let input = engine_loop_input(engine, 0, &size), size == job.side * job.side * 3 * job.values.size
        else {
            throw BenchmarkError(
                "\(job.model) does not take \(job.values.rawValue) of \(job.side) x \(job.side) pixels")
        }
        for y in 0..<job.side {
            for x in 0..<job.side {
                for channel in 0..<3 {
                    let byte =
                        frame.contains(x, y)
                        ? pixels[
                            ((y - frame.top) * Int(height) / frame.height * Int(width)
                                + (x - frame.left) * Int(width) / frame.width) * 3 + channel] : Frame.gray
                    Self.store(byte, job.values, (y * job.side + x) * 3 + channel, input)
                }
            }
        }
    }

    private static func store(_ byte: UInt8, _ values: Job.Values, _ place: Int, _ input: UnsafeMutablePointer<UInt8>) {
        func store(_ value: Float) {
            UnsafeMutableRawPointer(input).storeBytes(of: value, toByteOffset: place * 4, as: Float.self)
        }
        switch values {
        case .bytes: input[place] = byte
        case .int8: input[place] = byte ^ 0x80
        case .minusOneToOne: store((Float(byte) - 127.5) / 127.5)
        case .zeroToOne: store(Float(byte) / 255)
        }
    }
}

/// What a photo covers of a square input, in pixels of the input.
private struct Frame {
    /// What the photo leaves free of it.
    static let gray: UInt8 = 114

    private(set) var left = 0
    private(set) var top = 0
    private(set) var width: Int
    private(set) var height: Int

    /// - Parameter decoding: has read the photo, and decoded nothing yet.
    init(of decoding: OpaquePointer, _ job: Job) {
        (width, height) = (job.side, job.side)
        guard job.placement == .letterbox else { return }
        var (photoWidth, photoHeight): (Int32, Int32) = (0, 0)
        _ = decode_loop_pixels(decoding, &photoWidth, &photoHeight)
        let scale = Double(job.side) / Double(max(photoWidth, photoHeight))
        width = max(1, Int((Double(photoWidth) * scale).rounded()))
        height = max(1, Int((Double(photoHeight) * scale).rounded()))
        (left, top) = ((job.side - width) / 2, (job.side - height) / 2)
    }

    func contains(_ x: Int, _ y: Int) -> Bool {
        left..<left + width ~= x && top..<top + height ~= y
    }
}

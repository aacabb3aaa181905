import Glibc
import HearthModelFile
import HearthWire
import TensorFlowLite

/// Runs a model a few times on inputs of zeros, on this thread only.
struct ModelMeasurement {
    let plan: MeasurementPlan
    let memory: PeakMemoryReader

    func report(descriptor: Int32) -> MeasurementReport {
        do {
            return MeasurementReport(figures: try measurements(descriptor: descriptor))
        } catch let error as ModelFileError {
            return MeasurementReport(failure: error.message)
        } catch InterpreterError.tensorFlowLiteError(let reason) {
            return MeasurementReport(failure: reason)
        } catch {
            return MeasurementReport(failure: "\(error)")
        }
    }

    private func measurements(descriptor: Int32) throws -> ModelMeasurements {
        let begin = ContinuousClock.now
        let interpreter = try Interpreter(model: try ModelFile(try ModelBytes(descriptor: descriptor)))
        try interpreter.allocateTensors()
        let load = ContinuousClock.now - begin

        try fillInputs(of: interpreter)
        try interpreter.invoke()
        let times = try times(of: interpreter).sorted()
        guard let peak = memory.peakBytes else {
            throw PeakMemoryReader.Failure(description: "the peak memory is unknown")
        }
        return ModelMeasurements(
            runs: times.count, medianMicroseconds: Self.percentile(50, of: times),
            p90Microseconds: Self.percentile(90, of: times), peakMemoryBytes: peak,
            loadMicroseconds: load.microsecondsRoundedUp, engine: Probe.engine)
    }

    /// Writes zeros over the existing zeros: only written memory takes RAM, as with real inputs. Strings and other types without a
    /// fixed size have no memory to write; the run shows whether the engine needs it.
    private func fillInputs(of interpreter: Interpreter) throws {
        for place in 0..<interpreter.inputTensorCount {
            do {
                try interpreter.withUnsafeMutableInputBytes(at: place) {
                    _ = $0.initializeMemory(as: UInt8.self, repeating: 0)
                }
            } catch InterpreterError.invalidTensorDataType {
                continue
            }
        }
    }

    /// At least one run, and as many as begin within the plan's time.
    private func times(of interpreter: Interpreter) throws -> [Duration] {
        var times: [Duration] = []
        let begin = ContinuousClock.now
        repeat {
            let start = ContinuousClock.now
            try interpreter.invoke()
            times.append(ContinuousClock.now - start)
        } while times.count < plan.runs && ContinuousClock.now - begin < plan.time
        return times
    }

    /// Nearest rank. `sorted` must not be empty, and `percent` must be 1 to 100.
    private static func percentile(_ percent: Int, of sorted: [Duration]) -> Int {
        sorted[(percent * sorted.count + 99) / 100 - 1].microsecondsRoundedUp
    }
}

extension Duration {
    /// At least 1.
    fileprivate var microsecondsRoundedUp: Int {
        let nanoseconds = components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
        return max(1, Int((nanoseconds + 999) / 1000))
    }
}

/// How often and how long `hearth probe --measure` runs a model.
package struct MeasurementPlan: Sendable {
    /// The maximum number of timed runs.
    let runs: Int
    /// No run begins when this time has passed since the first.
    let time: Duration

    /// - Returns: nil unless `runs` is 1 to 10,000 and `seconds` above 0 and at most 3600.
    package init?(runs: Int, seconds: Double) {
        guard (1...10_000).contains(runs), seconds > 0, seconds <= 3600 else { return nil }
        self.runs = runs
        time = .seconds(seconds)
    }
}

/// The memory of this process. Works inside the sandbox, where nothing can be opened.
///
/// It does not use `getrusage`, whose peak includes the memory of the parent process that this one shared at first.
final class PeakMemoryReader {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let status: Int32

    /// Opens `/proc/self/status`, which stays open in the sandbox.
    init() throws(Failure) {
        status = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard status >= 0 else {
            throw Failure(description: "cannot open /proc/self/status: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(status) }

    /// The peak memory of this process in RAM so far, in bytes; nil if the system does not say it.
    var peakBytes: Int? {
        var text = [UInt8](repeating: 0, count: 16_384)
        let count = text.withUnsafeMutableBytes { pread(status, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { return nil }
        return Self.peakBytes(in: String(decoding: text[..<count], as: UTF8.self))
    }

    /// - Parameter status: lines such as `VmHWM:      5120 kB`.
    private static func peakBytes(in status: String) -> Int? {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }) else { return nil }
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 3, words[2] == "kB" else { return nil }
        return Int(words[1]).map { $0 << 10 }
    }
}

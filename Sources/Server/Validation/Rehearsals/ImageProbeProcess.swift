import Glibc
import HearthCatalog

/// A probe that runs a model on a stream of images: takes one image, answers one line, takes the next.
///
/// The probe may be in the model's power. So nothing waits for it longer than the limits allow, and at most one line of it
/// is kept. Load and each image have the same time: by the processor, and by the clock.
final class ImageProbeProcess {
    /// What came instead of a line.
    enum Interruption: Error {
        /// The probe has ended, or closed its output.
        case ended(ProbeProcess.Termination)
        /// It has used the processor time of one answer.
        case usedUp
        case timedOut
        case lineTooLong
        case cancelled
    }

    private let process: ProbeProcess
    /// The server's end of the probe's standard input.
    private let input: Int32
    private let limits: RehearsalLimits
    private let isCancelled: () -> Bool
    private var received: [UInt8] = []

    /// The longest wait before the next look at `isCancelled`.
    private static let stepSeconds = 0.2

    init(
        executable: String, model: Int32, options: ImageRunOptions = ImageRunOptions(), limits: RehearsalLimits,
        isCancelled: @escaping () -> Bool
    ) throws(ProbeFailure) {
        // A socket and not a pipe: a write to a probe that has ended must not signal this process.
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw ProbeFailure("Cannot run the model: cannot make a socket: \(String(cString: strerror(errno)))")
        }
        defer { close(ends[1]) }
        do throws(ProbeFailure) {
            process = try ProbeProcess(
                executable: executable, arguments: ["probe", "--images"] + options.arguments, model: model,
                input: ends[1])
        } catch {
            close(ends[0])
            throw error
        }
        input = ends[0]
        self.limits = limits
        self.isCancelled = isCancelled
    }

    deinit { close(input) }

    /// The line with which the probe begins.
    func start() throws -> [UInt8] { try line(before: deadline()) }

    /// The probe's line about the image.
    func answer(to image: [UInt8]) throws -> [UInt8] {
        let deadline = deadline()
        let length = withUnsafeBytes(of: UInt32(image.count).littleEndian) { Array($0) }
        try send(length, before: deadline)
        try send(image, before: deadline)
        return try line(before: deadline)
    }

    private func send(_ bytes: [UInt8], before deadline: Deadline) throws {
        var sent = 0
        while sent < bytes.count {
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            let count = bytes.withUnsafeBytes {
                Glibc.send(input, $0.baseAddress! + sent, $0.count - sent, flags)
            }
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                var request = pollfd(fd: input, events: Int16(POLLOUT), revents: 0)
                _ = poll(&request, 1, Int32(try step(before: deadline) * 1000) + 1)
            } else if errno != EINTR {
                throw ending()
            }
        }
    }

    private func line(before deadline: Deadline) throws -> [UInt8] {
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(received[..<end])
                received.removeFirst(end + 1)
                return line
            }
            guard received.count < limits.lineBytes else {
                process.end()
                throw Interruption.lineTooLong
            }
            let seconds = try step(before: deadline)
            guard let bytes = process.readOutput(seconds: seconds, limitBytes: limits.lineBytes - received.count) else {
                continue
            }
            guard !bytes.isEmpty else { throw ending() }
            received += bytes
        }
    }

    /// When the probe must have answered: in seconds of its own processor time, and in seconds of `now()`.
    private struct Deadline {
        let processor: Double
        let wall: Double
    }

    private func deadline() -> Deadline {
        Deadline(
            processor: process.processorSeconds + limits.answerProcessorSeconds,
            wall: Self.now() + limits.answerWallSeconds)
    }

    /// Kills the probe if there is no time left.
    private func step(before deadline: Deadline) throws -> Double {
        if isCancelled() {
            process.end()
            throw Interruption.cancelled
        }
        let left = deadline.wall - Self.now()
        let processorLeft = deadline.processor - process.processorSeconds
        guard left > 0, processorLeft > 0 else {
            process.end()
            throw left > 0 ? Interruption.usedUp : .timedOut
        }
        return min(left, processorLeft, Self.stepSeconds)
    }

    /// How the probe ended, which has closed its output or its input.
    private func ending() -> any Error {
        do {
            return Interruption.ended(try process.wait(seconds: Self.endSeconds, outputBytes: limits.lineBytes))
        } catch {
            return error
        }
    }

    private static let endSeconds = 5.0

    private static let clockStart = ContinuousClock.now

    /// Seconds since some moment.
    private static func now() -> Double { (ContinuousClock.now - clockStart) / .seconds(1) }
}

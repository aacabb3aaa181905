import Glibc

/// A probe that runs a model on a stream of images: takes one image, answers one line, takes the next.
///
/// The probe may be in the model's power. So nothing waits for it longer than it is told, and at most `lineBytes` bytes
/// of it are kept.
final class ImageStream {
    /// What came instead of a line.
    enum Interruption: Error {
        /// The probe has ended, or closed its output.
        case ended(ProbeProcess.Termination)
        case timedOut
        case lineTooLong
        case cancelled
    }

    private let process: ProbeProcess
    /// The server's end of the probe's standard input.
    private let input: Int32
    private let lineBytes: Int
    private let isCancelled: () -> Bool
    private var received: [UInt8] = []

    /// The longest wait before the next look at `isCancelled`.
    private static let stepSeconds = 0.2

    init(
        executable: String, model: Int32, threshold: Double? = nil, lineBytes: Int, isCancelled: @escaping () -> Bool
    ) throws(ValidationError) {
        // A socket and not a pipe: a write to a probe that has ended must not signal this process.
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw ValidationError("Cannot run the model: cannot make a socket: \(String(cString: strerror(errno)))")
        }
        defer { close(ends[1]) }
        do throws(ValidationError) {
            process = try ProbeProcess(
                executable: executable,
                arguments: ["probe", "--images"] + (threshold.map { ["--threshold", "\($0)"] } ?? []), model: model,
                input: ends[1])
        } catch {
            close(ends[0])
            throw error
        }
        input = ends[0]
        self.lineBytes = lineBytes
        self.isCancelled = isCancelled
    }

    deinit { close(input) }

    /// The line with which the probe begins.
    func start(seconds: Double) throws -> [UInt8] { try line(deadline: Self.now() + seconds) }

    /// The probe's line about the image.
    func answer(to image: [UInt8], seconds: Double) throws -> [UInt8] {
        let deadline = Self.now() + seconds
        let length = withUnsafeBytes(of: UInt32(image.count).littleEndian) { Array($0) }
        try send(length, deadline: deadline)
        try send(image, deadline: deadline)
        return try line(deadline: deadline)
    }

    private func send(_ bytes: [UInt8], deadline: Double) throws {
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

    private func line(deadline: Double) throws -> [UInt8] {
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(received[..<end])
                received.removeFirst(end + 1)
                return line
            }
            guard received.count < lineBytes else {
                process.end()
                throw Interruption.lineTooLong
            }
            let seconds = try step(before: deadline)
            guard let bytes = process.readOutput(seconds: seconds, limitBytes: lineBytes - received.count) else {
                continue
            }
            guard !bytes.isEmpty else { throw ending() }
            received += bytes
        }
    }

    /// Kills the probe if there is no time left.
    private func step(before deadline: Double) throws -> Double {
        if isCancelled() {
            process.end()
            throw Interruption.cancelled
        }
        let left = deadline - Self.now()
        guard left > 0 else {
            process.end()
            throw Interruption.timedOut
        }
        return min(left, Self.stepSeconds)
    }

    /// How the probe ended, which has closed its output or its input.
    private func ending() -> any Error {
        do {
            return Interruption.ended(try process.wait(seconds: Self.endSeconds, outputBytes: lineBytes))
        } catch {
            return error
        }
    }

    private static let endSeconds = 5.0

    private static let clockStart = ContinuousClock.now

    /// Seconds since some moment.
    private static func now() -> Double { (ContinuousClock.now - clockStart) / .seconds(1) }
}

import Glibc
import HearthConcurrency

/// The lines of a descriptor, read as they come. They end early if the run is cancelled, even while no line comes.
final class InputLines: Sendable {
    private struct Input {
        var bytes: [UInt8] = []
        /// The beginning of the next line.
        var position = 0
        var isAtEnd = false
    }

    /// Longer than any path. Longer lines are cut, so that a file without line breaks does not fill the memory.
    static let maximumLine = 1 << 16

    private let descriptor: Int32
    /// A pipe whose reading end becomes ready when the run is cancelled.
    private let wakePipe: (reading: Int32, writing: Int32)
    private let cancellation: Cancellation
    private let input = Lock(Input())

    /// - Parameter descriptor: still belongs to the caller.
    init(descriptor: Int32 = STDIN_FILENO, cancellation: Cancellation) {
        self.descriptor = descriptor
        self.cancellation = cancellation
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        wakePipe = (ends[0], ends[1])
        cancellation.onCancel { [weak self] in
            guard let self else { return }
            _ = write(wakePipe.writing, "x", 1)
        }
    }

    deinit {
        close(wakePipe.reading)
        close(wakePipe.writing)
    }

    /// The next line without its line break; nil at the end. Repairs invalid UTF-8.
    func next() -> String? {
        input.withLock { input in
            while !cancellation.isCancelled {
                if let line = Self.takeLine(&input) { return line }
                if input.isAtEnd { return nil }
                if waitForInput() { read(&input) }
            }
            return nil
        }
    }

    private static func takeLine(_ input: inout Input) -> String? {
        let rest = input.bytes[input.position...]
        let end = rest.prefix(maximumLine).firstIndex(of: UInt8(ascii: "\n"))
        guard let end = end ?? Self.endOfPart(rest, input.isAtEnd) else { return nil }
        let line = String(decoding: input.bytes[input.position..<end], as: UTF8.self)
        input.position = end < input.bytes.count && input.bytes[end] == UInt8(ascii: "\n") ? end + 1 : end
        return line
    }

    /// The end of a line without a line break: at the maximum length, or at the end of the input.
    private static func endOfPart(_ rest: ArraySlice<UInt8>, _ isAtEnd: Bool) -> Int? {
        if rest.count >= maximumLine { return rest.startIndex + maximumLine }
        return isAtEnd && !rest.isEmpty ? rest.endIndex : nil
    }

    /// Returns when there is input, or false when the run is cancelled. Wraps `poll`.
    private func waitForInput() -> Bool {
        var requests = [descriptor, wakePipe.reading].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        return poll(&requests, 2, -1) > 0 && requests[0].revents != 0
    }

    /// Wraps `read`. A failed read counts as the end.
    private func read(_ input: inout Input) {
        input.bytes.removeFirst(input.position)
        input.position = 0
        let held = input.bytes.count
        input.bytes.append(contentsOf: repeatElement(0, count: Self.maximumLine))
        let count = input.bytes.withUnsafeMutableBytes {
            Glibc.read(descriptor, $0.baseAddress! + held, Self.maximumLine)
        }
        input.isAtEnd = count == 0 || (count < 0 && errno != EINTR)
        input.bytes.removeLast(Self.maximumLine - max(0, count))
    }
}

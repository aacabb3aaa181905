import CLiteRT
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Keeps one line off the user's terminal: "INFO: Created TensorFlow Lite XNNPACK delegate for CPU.", which the
/// library prints to the `stderr` stream with the first delegate of a process, whatever its log level.
///
/// While such a compilation runs, the stream `stderr` is another one that drops exactly this line and writes
/// everything else to file descriptor 2 at once, unbuffered. The descriptor itself is never redirected, so children,
/// `write(2)` and crash reports go their usual way; and because the other stream is never closed, a thread that picked
/// it up meanwhile may go on printing to it for ever. One compilation at a time does this, until the line was seen.
///
/// The line is looked for in what the compiling thread prints, since the library prints it in pieces there: between
/// them other threads may print theirs.
enum DelegateNotice {
    /// True once the line came and went, or was let through: from then on there is nothing to hide.
    private static let isOver = Atomic(false)
    private static let gate = Mutex(())

    /// Calls `body`, hiding the line if it comes during the call.
    static func whileHidden<Result: Sendable>(unless isWanted: Bool, _ body: () -> Result) -> Result {
        guard !isOver.load(ordering: .acquiring) else { return body() }
        return gate.withLock { _ in
            if isOver.load(ordering: .acquiring) { return body() }
            if isWanted {
                defer { isOver.store(true, ordering: .releasing) }
                return body()
            }
            return withFilteredStream(body)
        }
    }

    #if canImport(Glibc)
        private static let filter = Mutex(
            LineFilter(dropping: "INFO: Created TensorFlow Lite XNNPACK delegate for CPU.\n"))

        private static let compilingThread = Mutex<pthread_t?>(nil)

        // Safe to share: made once, a FILE locks itself, and nothing ever closes it.
        private nonisolated(unsafe) static let stream: UnsafeMutablePointer<FILE>? = {
            var functions = hearth_stream_functions()
            functions.write = { _, bytes, count in
                DelegateNotice.pass(UnsafeRawBufferPointer(start: bytes, count: count))
                return count
            }
            let stream = hearth_open_stream(nil, "w", functions)
            if let stream { setvbuf(stream, nil, _IONBF, 0) }
            return stream
        }()

        private static func withFilteredStream<Result: Sendable>(_ body: () -> Result) -> Result {
            guard let stream else { return body() }
            let thread = pthread_self()
            filter.withLock { $0.isActive = true }
            compilingThread.withLock { $0 = thread }
            let original = hearth_exchange_stderr(stream)
            let result = body()
            _ = hearth_exchange_stderr(original)
            compilingThread.withLock { $0 = nil }
            let hasSeenLine = filter.withLock { filter in
                filter.isActive = false
                write(filter.takeHeldBytes())
                return filter.hasDropped
            }
            isOver.store(hasSeenLine, ordering: .releasing)
            return result
        }

        private static func pass(_ bytes: UnsafeRawBufferPointer) {
            guard compilingThread.withLock({ $0 }) == pthread_self() else { return write(Array(bytes)) }
            filter.withLock { write($0.filter(bytes)) }
        }

        private static func write(_ bytes: [UInt8]) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    #else
        private static func withFilteredStream<Result: Sendable>(_ body: () -> Result) -> Result {
            body()
        }
    #endif
}

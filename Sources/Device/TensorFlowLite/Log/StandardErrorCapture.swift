import CLiteRT
import HearthConcurrency

#if canImport(Glibc)
    import Glibc
#endif

/// Captures what the engine prints. The engine prints only to the C stream `stderr` and has no other output.
///
/// During a capture, `stderr` is another stream. It adds what the capturing thread prints to that thread's lines, and
/// writes everything else to file descriptor 2 at once, unbuffered. The descriptor itself is never redirected, so child
/// processes, `write(2)` and crash reports are unaffected. The other stream is never closed, so a thread that picked it
/// up during a capture may print to it later.
enum StandardErrorCapture {
    #if canImport(Glibc)
        /// Calls `body` and returns its result with what the engine printed on this thread. Captures may be nested, and
        /// run on any number of threads at once.
        static func during<Result>(_ body: () -> Result) -> (result: Result, messages: [LogMessage]) {
            guard stream != nil, let key else { return (body(), []) }
            let lines = EngineOutputParser(passingOn: write)
            let outer = pthread_getspecific(key)
            pthread_setspecific(key, Unmanaged.passUnretained(lines).toOpaque())
            install()
            let result = body()
            restore()
            pthread_setspecific(key, outer)
            lines.finish()
            return (result, lines.messages)
        }

        // MARK: The stream

        // Safe to share: created once, a FILE locks itself, and it is never closed.
        private nonisolated(unsafe) static let stream: UnsafeMutablePointer<FILE>? = {
            var functions = hearth_stream_functions()
            functions.write = { _, bytes, count in
                StandardErrorCapture.receive(UnsafeRawBufferPointer(start: bytes, count: count))
                return count
            }
            let stream = hearth_open_stream(nil, "w", functions)
            if let stream { setvbuf(stream, nil, _IONBF, 0) }
            return stream
        }()

        /// Where each thread finds its parser, which lives as long as it is stored there.
        private static let key: pthread_key_t? = {
            var key = pthread_key_t()
            return pthread_key_create(&key, nil) == 0 ? key : nil
        }()

        private static func receive(_ bytes: UnsafeRawBufferPointer) {
            guard let key, let lines = pthread_getspecific(key) else { return write(Array(bytes)) }
            Unmanaged<EngineOutputParser>.fromOpaque(lines).takeUnretainedValue().receive(bytes)
        }

        // MARK: Putting it in place

        private struct Exchange {
            var captureCount = 0
            var original: UnsafeMutablePointer<FILE>?
        }

        private static let exchange = Lock(Exchange())

        private static func install() {
            exchange.withLock {
                if $0.captureCount == 0 { $0.original = hearth_exchange_stderr(stream) }
                $0.captureCount += 1
            }
        }

        private static func restore() {
            exchange.withLock {
                $0.captureCount -= 1
                if $0.captureCount == 0 { _ = hearth_exchange_stderr($0.original) }
            }
        }

        // MARK: The way out

        /// Writes to the descriptor, not the stream, so that it also works from within the stream.
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
        static func during<Result>(_ body: () -> Result) -> (result: Result, messages: [LogMessage]) {
            (body(), [])
        }
    #endif
}

/// Parses what the engine prints on one thread: lines that begin with a level, such as `INFO: Created a delegate.`
///
/// Other lines come from other code, or are the engine's last output before it ends the process. It passes those on at
/// once.
final class EngineOutputParser {
    private(set) var messages: [LogMessage] = []
    private var unfinished: [UInt8] = []
    private let passThrough: ([UInt8]) -> Void

    init(passingOn passThrough: @escaping ([UInt8]) -> Void) {
        self.passThrough = passThrough
    }

    /// Takes the next bytes, which may be parts of lines or several lines.
    func receive(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            unfinished.append(byte)
            if byte == UInt8(ascii: "\n") { finishLine() }
        }
    }

    /// Ends a line that has no line break.
    func finish() {
        if !unfinished.isEmpty { finishLine() }
    }

    private func finishLine() {
        defer { unfinished.removeAll(keepingCapacity: true) }
        if let message = Self.message(unfinished) { return messages.append(message) }
        // Some of the engine's messages contain a line break at their end.
        let isEmptyEnd = unfinished == [UInt8(ascii: "\n")] && !messages.isEmpty
        if !isEmptyEnd { passThrough(unfinished) }
    }

    private static func message(_ line: [UInt8]) -> LogMessage? {
        guard let (prefix, level) = levels.first(where: { line.starts(with: $0.prefix.utf8) }) else { return nil }
        var text = Substring(String(decoding: line.dropFirst(prefix.utf8.count), as: UTF8.self))
        while text.last?.isNewline == true { text.removeLast() }
        return LogMessage(level: level, text: String(text))
    }

    private static let levels: [(prefix: String, level: Interpreter.Options.LogLevel)] = [
        ("ERROR: ", .error), ("WARNING: ", .warning), ("INFO: ", .info), ("VERBOSE: ", .info),
        ("<Unknown severity>: ", .info),
    ]
}

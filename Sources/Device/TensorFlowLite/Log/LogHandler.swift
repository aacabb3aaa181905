import Foundation

/// One message of the engine or the interpreter.
public struct LogMessage: Hashable, Sendable {
    /// The level of the message; never `.silent`.
    public let level: Interpreter.Options.LogLevel

    /// The text, without its level and line break.
    public let text: String

    /// Creates a message, for example to test a handler.
    public init(level: Interpreter.Options.LogLevel, text: String) {
        self.level = level
        self.text = text
    }
}

/// Receives what an interpreter would write to standard error.
///
/// ```swift
/// var options = Interpreter.Options()
/// options.logLevel = .warning
/// options.logHandler = LogHandler { message in print(message.level, message.text) }
/// ```
///
/// The closure is called on the thread that made the interpreter's call, after the engine has finished and before that
/// call returns. Several interpreters with the same handler may call it from several threads at once. It receives what
/// the engine prints on that thread during the call, or when the interpreter is freed. Output of the engine's own
/// threads and of plug-ins for accelerators still goes to standard error.
///
/// **A handler must not use the interpreter that sent the message**, because that interpreter's call has not ended.
/// Calls that can throw then report that the interpreter is in use.
///
/// The engine prints only to the C stream `stderr`. So during a captured call, that variable holds another stream, in
/// the whole process. Text of other threads passes through it to file descriptor 2 at once. But `fileno(stderr)` is -1,
/// and `freopen` or `setvbuf` change the other stream and not yours. Programs that change `stderr` must do so before
/// they create an interpreter. With a handler, all calls are captured. Without one, only calls that create an
/// interpreter and calls that fail may be captured.
///
/// Two handlers are equal if one is a copy of the other.
public struct LogHandler: Sendable, Hashable {
    private final class Box: Sendable {
        let handle: @Sendable (LogMessage) -> Void

        init(_ handle: @escaping @Sendable (LogMessage) -> Void) {
            self.handle = handle
        }
    }

    private let box: Box

    /// Creates a handler.
    /// - Parameter handle: The closure that receives each message.
    public init(_ handle: @escaping @Sendable (LogMessage) -> Void) {
        box = Box(handle)
    }

    func callAsFunction(_ message: LogMessage) {
        box.handle(message)
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.box === right.box
    }

    /// Hashes the identity of the closure.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(box))
    }
}

/// Whether the current thread is in a log handler, and so inside a call of an interpreter that has not ended.
enum LogHandlerCall {
    static var isUnderWay: Bool {
        guard let key else { return false }
        return pthread_getspecific(key) != nil
    }

    static func deliver(_ message: LogMessage, to handler: LogHandler) {
        guard let key else { return handler(message) }
        let outer = pthread_getspecific(key)
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
        handler(message)
        pthread_setspecific(key, outer)
    }

    /// Has a value other than nil on threads that are in a handler.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()
}

import Foundation

/// One line from the engine or the interpreter.
public struct LogMessage: Hashable, Sendable {
    /// Never `.silent`.
    public let level: Interpreter.Options.LogLevel

    /// The line, without its level and line break.
    public let text: String

    public init(level: Interpreter.Options.LogLevel, text: String) {
        self.level = level
        self.text = text
    }
}

/// Takes what an interpreter would write to standard error.
///
/// ```swift
/// var options = Interpreter.Options()
/// options.logLevel = .warning
/// options.logHandler = LogHandler { message in print(message.level, message.text) }
/// ```
///
/// The closure is called on the thread that made the interpreter's call, once the engine is done and before that call
/// returns, and may be called from several threads at once if several interpreters have it. It gets what the engine
/// prints on that thread during the call, or when the interpreter goes. What threads of the engine's own or plug-ins for
/// accelerators print still goes to standard error.
///
/// **A handler must not use the interpreter that it hears from**, whose call is not over: uses that can throw then say
/// that the interpreter is in use.
///
/// The engine prints to nothing but the C stream `stderr`. While a call is listened to, that variable therefore holds
/// another stream, in the whole process: other threads' text passes through it to file descriptor 2 at once, but
/// `fileno(stderr)` is -1, and `freopen` or `setvbuf` change the other stream and not yours. Programs that do such things
/// to `stderr` do them before they make an interpreter. Calls are listened to while there is a handler; without one, only
/// those that make an interpreter may be, and those that fail.
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

    public init(_ handle: @escaping @Sendable (LogMessage) -> Void) {
        box = Box(handle)
    }

    func callAsFunction(_ message: LogMessage) {
        box.handle(message)
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.box === right.box
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(box))
    }
}

/// Whether the present thread is in a log handler, and so in a call of an interpreter that is not over.
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

    /// Has any value at all on threads that are in a handler.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()
}

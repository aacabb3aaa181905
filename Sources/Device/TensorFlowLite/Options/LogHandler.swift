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
/// The closure is called on the thread that made the interpreter's call, just before that call returns, and may be called
/// from several threads at once if several interpreters have it. It gets what the engine prints on that thread during
/// the call, or when the interpreter goes. What threads of the engine's own or plug-ins for accelerators print still goes to standard error.
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

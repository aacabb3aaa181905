/// Hands a value that is not thread-safe from the HTTP server's thread to the one worker that continues with it.
///
/// `@unchecked Sendable`: the thread that makes the box gives the value up, and the one worker that gets the box is the
/// only one that takes the value out, once. The queue between them orders the two accesses.
final class SendableBox<Value>: @unchecked Sendable {
    private var value: Value?

    init(_ value: Value?) { self.value = value }

    func take() -> Value? { value.take() }
}

/// Carries something that is not thread safe from the HTTP server's thread to the one worker that goes on with it.
///
/// `@unchecked Sendable`: whoever makes it gives the value up, and the one worker that gets it is the only one to take
/// the value out, once; the hand-over through the queue orders the two.
final class HandedOver<Value>: @unchecked Sendable {
    private var value: Value?

    init(_ value: Value?) { self.value = value }

    func take() -> Value? { value.take() }
}

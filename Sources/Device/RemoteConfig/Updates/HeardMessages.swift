/// What the messages of one stream said, as far as it matters at its end.
struct HeardMessages: Sendable {
    private(set) var hasVersion = false
    private(set) var isDisabled = false
    private(set) var retrySeconds: Double?

    mutating func add(_ message: StreamMessage) {
        hasVersion = hasVersion || message.version != nil
        isDisabled = isDisabled || message.isDisabled
        retrySeconds = message.retrySeconds ?? retrySeconds
    }
}

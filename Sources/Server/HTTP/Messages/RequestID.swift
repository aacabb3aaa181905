/// Names one request among those of a server process: short, and made into text only when somebody asks.
struct RequestID: Sendable {
    private let prefix: String
    private let number: UInt64?

    init(_ text: String) {
        prefix = text
        number = nil
    }

    /// - Parameters:
    ///   - process: the same for all requests of a process.
    ///   - number: counts them.
    init(process: String, number: UInt64) {
        prefix = process
        self.number = number
    }

    var text: String { number.map { prefix + "-" + String($0, radix: 36) } ?? prefix }
}

import HearthConcurrency
import HearthCrypto
import HearthRouting

/// Forms that can be sent once, because their answers show a secret once: a person who reloads such an answer must not
/// make another secret without wanting it. Safe to call from any thread.
///
/// A server that is alone knows the last forms that were sent, in memory, and forgets them when it restarts. Several servers
/// have them in the database.
final class SingleUseForms: Sendable {
    static let field = "form-id"
    private static let limit = 10_000

    private struct State {
        var ids: Set<String> = []
        /// The ids in the order in which the forms were sent.
        var order: [String] = []
        /// The place of the oldest in `order`, once that is full.
        var oldest = 0
    }

    /// Nil for a server that is alone.
    private let shared: ConsoleValues?
    private let state = Lock(State())

    init(shared: ConsoleValues? = nil) { self.shared = shared }

    /// What makes a form one that can be sent once.
    static var markup: Markup {
        input(.type("hidden"), .name(field), .value(Base64URL.encode(SecureRandom.bytes(16))))
    }

    /// Notes that the form is sent.
    ///
    /// - Parameter session: the id of the session that sends it.
    /// - Returns: false if it was sent before.
    func take(_ id: String, session: String) throws -> Bool {
        let id = String(id.prefix(32))
        if let shared { return try shared.takeForm(id, session: session) }
        return state.withLock { state in
            guard state.ids.insert(id).inserted else { return false }
            if state.order.count < Self.limit {
                state.order.append(id)
            } else {
                state.ids.remove(state.order[state.oldest])
                state.order[state.oldest] = id
                state.oldest = (state.oldest + 1) % Self.limit
            }
            return true
        }
    }

    /// Lets a form be sent again that made nothing.
    func giveBack(_ id: String, session: String) throws {
        let id = String(id.prefix(32))
        if let shared { return try shared.giveBackForm(id, session: session) }
        _ = state.withLock { $0.ids.remove(id) }
    }
}

import Dispatch
import HearthConcurrency
import HearthStorage
import Synchronization

/// Makes connections. While the database cannot be reached, only one caller at a time tries it, and the others are
/// refused at once: they must not wait in line for something that does not come.
final class PostgresConnector: Sendable {
    private struct State {
        var isTrying = false
        /// Nil while the last attempt succeeded.
        var lastFailure: StorageError?
        var nextAttempt = ContinuousClock.now
    }

    private let open: @Sendable () throws(StorageError) -> PostgresConnection
    private let state = Lock(State())
    private static let pause: Duration = .milliseconds(500)

    init(_ open: @escaping @Sendable () throws(StorageError) -> PostgresConnection) { self.open = open }

    func connect() throws(StorageError) -> PostgresConnection {
        let refusal: StorageError? = state.withLock { state in
            guard let failure = state.lastFailure else { return nil }
            if state.isTrying || ContinuousClock.now < state.nextAttempt { return failure }
            state.isTrying = true
            return nil
        }
        if let refusal { throw refusal }
        do throws(StorageError) {
            let connection = try open()
            state.withLock { $0 = State() }
            return connection
        } catch {
            state.withLock {
                $0 = State(isTrying: false, lastFailure: error, nextAttempt: .now + Self.pause)
            }
            throw error
        }
    }
}

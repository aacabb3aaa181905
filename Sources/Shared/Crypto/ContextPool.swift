import Synchronization

/// Idle contexts of OpenSSL that are ready to be started anew, which is cheaper than to make one. There are as many as
/// threads ever worked at the same time.
final class ContextPool<Context: Sendable>: Sendable {
    private let idle = Mutex<[Context]>([])

    /// Calls `body` with a context that is nobody else's meanwhile; `make` makes it where none is idle.
    func withContext<Result>(or make: () -> Context, _ body: (Context) -> Result) -> Result {
        let context = idle.withLock { $0.popLast() } ?? make()
        defer { idle.withLock { $0.append(context) } }
        return body(context)
    }
}

import Synchronization

/// Keeps idle curl handles, and with them open connections, for the next transfers.
final class CurlPool: Sendable {
    /// Idle handles beyond this are closed: each may hold open connections.
    private static let idleLimit = 4

    private let idle = Mutex<[CurlHandle]>([])

    /// Lends a handle to `body`: the one that was used last, as its connections are the freshest.
    func withHandle<Result>(
        _ body: (CurlHandle) throws(TransportError) -> Result
    ) throws(TransportError) -> Result {
        let handle = if let last = idle.withLock({ $0.popLast() }) { last } else { try CurlHandle() }
        defer {
            idle.withLock { if $0.count < Self.idleLimit { $0.append(handle) } }
        }
        return try body(handle)
    }
}

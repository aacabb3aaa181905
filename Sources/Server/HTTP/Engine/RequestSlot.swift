internal import CMicroHTTPD
internal import Synchronization

/// Keeps the request under way on one connection.
///
/// `@unchecked Sendable`: `exchange` and `greeting` are used on the connection's thread only; other threads read
/// `isBusy`, which is atomic.
final class RequestSlot: @unchecked Sendable {
    /// The peer's.
    let remoteAddress: String
    private let greeting: TLSGreeting?
    private let busy = Atomic<Bool>(false)

    var exchange: Exchange? {
        // Sequentially consistent, as the flag of stopping: of a request that ends and a stop that begins, one sees the other.
        didSet { busy.store(exchange != nil, ordering: .sequentiallyConsistent) }
    }

    /// Whether a request has begun to arrive and is not over.
    var isBusy: Bool { busy.load(ordering: .sequentiallyConsistent) }

    init(remoteAddress: String, greeting: TLSGreeting?) {
        self.remoteAddress = remoteAddress
        self.greeting = greeting
    }

    static func of(_ connection: OpaquePointer?) -> RequestSlot? {
        guard let connection, let raw = mhd_connection_context(connection) else { return nil }
        return Unmanaged<RequestSlot>.fromOpaque(raw).takeUnretainedValue()
    }
}

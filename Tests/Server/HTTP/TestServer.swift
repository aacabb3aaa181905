import HearthHTTP
import Synchronization

/// A handler made of a closure.
struct Plans: RequestHandler {
    let make: @Sendable (RequestHead) -> RequestPlan

    func plan(for head: RequestHead) -> RequestPlan { make(head) }
}

/// A running server on a free loopback port, with the log it wrote.
final class TestServer {
    let server: HTTPServer
    let log = Journal<AccessLogEntry>()
    var port: UInt16 { server.port }

    init(
        address: String = "127.0.0.1", tls: HTTPServerConfiguration.TLS? = nil, limits: ServerLimits = .forTests,
        trustedProxies: AddressRanges = AddressRanges(), errors: @escaping ErrorRenderer = HTTPFault.plainText,
        plan: @escaping @Sendable (RequestHead) -> RequestPlan
    ) throws {
        server = HTTPServer(
            configuration: HTTPServerConfiguration(
                address: address, tls: tls, limits: limits, trustedProxies: trustedProxies),
            handler: Plans(make: plan), errors: errors, log: { [log] in log.add($0) })
        try server.start()
    }

    func connect(isIPv6: Bool = false) throws -> RawClient { try RawClient(port: port, isIPv6: isIPv6) }

    /// From another address of this machine: 127.0.0.`number`.
    func connect(fromLoopback number: UInt8) throws -> RawClient { try RawClient(port: port, loopback: number) }
}

extension ServerLimits {
    static var forTests: ServerLimits {
        var limits = ServerLimits()
        limits.threads = 2
        limits.stopGraceSeconds = 1
        return limits
    }

    func with(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
        var limits = self
        change(&limits)
        return limits
    }
}

/// A list that threads add to and tests wait on.
final class Journal<Entry: Sendable>: Sendable {
    private let list = Mutex<[Entry]>([])
    private let signal = Signal()

    var entries: [Entry] { list.withLock { $0 } }

    func add(_ entry: Entry) {
        list.withLock { $0.append(entry) }
        signal.send()
    }

    /// The next entry nobody has waited for; `nil` after ten seconds.
    func next() -> Entry? {
        guard signal.wait() else { return nil }
        return taken.withLock { index in
            defer { index += 1 }
            return entries[index]
        }
    }

    private let taken = Mutex(0)
}

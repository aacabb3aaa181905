import Dispatch
import Glibc
import HearthHTTP
import Synchronization
import Testing

/// A handler made of a closure.
struct ClosureHandler: RequestHandler {
    let make: @Sendable (RequestHead) -> RequestPlan

    func plan(for head: RequestHead) -> RequestPlan { make(head) }
}

/// A running server on a free loopback port, with the log it wrote.
final class TestServer {
    let server: HTTPServer
    let log = EventRecorder<AccessLogEntry>()
    var port: UInt16 { server.port }

    init(
        address: String = "127.0.0.1", tls: HTTPServerConfiguration.TLS? = nil, limits: ServerLimits = .forTests,
        trustedProxies: AddressRanges = AddressRanges(), errors: @escaping ErrorRenderer = HTTPFault.plainText,
        plan: @escaping @Sendable (RequestHead) -> RequestPlan
    ) throws {
        server = HTTPServer(
            configuration: HTTPServerConfiguration(
                address: address, tls: tls, limits: limits, trustedProxies: trustedProxies),
            handler: ClosureHandler(make: plan), errors: errors, log: { [log] in log.add($0) })
        try server.start()
    }

    func connect(isIPv6: Bool = false) throws -> RawClient { try RawClient(port: port, isIPv6: isIPv6) }

    /// From another address of this machine: 127.0.0.`number`.
    func connect(fromLoopback number: UInt8) throws -> RawClient { try RawClient(port: port, loopback: number) }

    /// The signal comes when the server has stopped.
    func stopInBackground() -> CountingSemaphore {
        let stopped = CountingSemaphore()
        DispatchQueue.global().async { [server] in
            server.stop()
            stopped.send()
        }
        return stopped
    }
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
final class EventRecorder<Entry: Sendable>: Sendable {
    private let list = Mutex<[Entry]>([])
    private let signal = CountingSemaphore()

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

/// The suites with a running server, one test at a time: each takes threads, connections and descriptors. What is
/// measured of a process is measured in one of its own, because other suites run beside these.
@Suite(.serialized) enum ServerSuites {}

/// A receiver that counts, and records how it ended.
final class RecordingReceiver: BodyReceiver {
    enum Event: Equatable, Sendable {
        case received
        case finished(UInt64)
        case abandoned
    }

    let limitBytes: UInt64?
    private let events: EventRecorder<Event>
    private let refuseAfter: UInt64
    private let reportsPieces: Bool
    private let permission: CountingSemaphore?
    private(set) var bytes: UInt64 = 0

    /// - Parameter permission: what it waits for after the first piece.
    init(
        _ events: EventRecorder<Event>, limitBytes: UInt64? = nil, refuseAfter: UInt64 = .max,
        reportsPieces: Bool = false, permission: CountingSemaphore? = nil
    ) {
        self.events = events
        self.limitBytes = limitBytes
        self.refuseAfter = refuseAfter
        self.reportsPieces = reportsPieces
        self.permission = permission
    }

    func receive(_ piece: UnsafeRawBufferPointer) throws(RequestRefusal) {
        let isFirst = bytes == 0
        bytes += UInt64(piece.count)
        if reportsPieces { events.add(.received) }
        if isFirst { _ = permission?.wait() }
        if bytes > refuseAfter { throw RequestRefusal(.text("no more", status: 409)) }
    }

    func finish() -> Outcome {
        events.add(.finished(bytes))
        return .respond(.text("\(bytes)"))
    }

    func abandon() { events.add(.abandoned) }
}

/// A counting signal; waiting gives up after a minute so that a broken server fails a test and does not hang it.
final class CountingSemaphore: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func send() { semaphore.signal() }

    func wait() -> Bool { semaphore.wait(timeout: .now() + 60) == .success }
}

extension OwnedDescriptor {
    /// Opens a file for reading; `nil` leaves the cause in `errno`.
    convenience init?(readingFrom path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        self.init(takingOwnershipOf: descriptor)
    }
}

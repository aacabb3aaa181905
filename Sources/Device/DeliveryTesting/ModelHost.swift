public import Foundation
public import HearthApp
import HearthConcurrency
package import HearthTransport
package import HearthWire

/// Whether a device is to get a version. Called on the thread that sends the device's request.
public typealias DeviceFilter = @Sendable (DeviceDescription) -> Bool

/// A model server in memory: what an app's tests publish to, and break.
///
/// It answers every call that the device side makes, as a real server does, and opens no socket. Devices are connected with
/// ``TestDevice``. Use it from any thread.
public final class ModelHost: Sendable {
    /// The kinds of request that a device makes.
    public enum RequestKind: Sendable, Hashable, CaseIterable {
        /// For the installation's identity and its token.
        case installation
        /// Which version of a model is published, and where its file is.
        case info
        /// The file itself, or a part of it.
        case file
        /// A batch of events and exposures. The host takes them all, and forgets them.
        case events
    }

    /// Where devices find it, for `FirebaseOptions.serverURL`.
    public let serverURL: String
    /// What links to files begin with: another host than the server's, as an object store would be.
    public let linkURL: String
    /// Links and tokens expire by this clock, and slow answers take their time on it.
    public let clock: FakeClock

    private let catalog = Lock(ModelCatalog())
    private let installations = Lock(InstallationRegistry())
    private let script = Lock(FaultScript())
    private let log = Lock(RequestLog())
    private let lifetime = Lock<Int64>(3600)
    /// A century: far below every overflow.
    private static let longestLifetime = 3_155_760_000

    public init(
        serverURL: String = "https://models.example.com", linkURL: String = "https://files.example.net",
        clock: FakeClock = FakeClock()
    ) {
        self.serverURL = serverURL
        self.linkURL = linkURL
        self.clock = clock
    }
}

// MARK: - Models

extension ModelHost {
    /// Makes `bytes` the newest version of the model called `name`. They need not be a model that runs.
    ///
    /// - Parameter condition: Which devices get it; the others keep to the newest version that is meant for them, and get 404
    ///   where there is none.
    public func publish(_ bytes: Data, as name: String, where condition: @escaping DeviceFilter = { _ in true }) {
        publish(Array(bytes), as: name, where: condition)
    }

    package func publish(
        _ bytes: [UInt8], as name: String, where condition: @escaping DeviceFilter = { _ in true }
    ) {
        catalog.withLock { $0.publish(bytes, as: name, matches: condition) }
    }

    /// Reads the whole file into memory, and publishes it. Throws what `Data(contentsOf:)` throws.
    public func publish(
        contentsOfFile path: String, as name: String, where condition: @escaping DeviceFilter = { _ in true }
    ) throws {
        publish(try Data(contentsOf: URL(fileURLWithPath: path)), as: name, where: condition)
    }

    /// Takes the newest version back: devices get the one before it, with its old number, and 404 where there is none.
    public func rollBack(_ name: String) { catalog.withLock { $0.rollBack(name) } }

    /// There is no model of this name any more. Links that were given out work until they expire.
    public func unpublish(_ name: String) { catalog.withLock { $0.unpublish(name) } }

    /// How long links to files work; an hour at the start. Zero or less: they are too old when they arrive.
    public var linkLifetimeSeconds: Int {
        get { Int(lifetime.withLock { $0 }) }
        set { lifetime.withLock { $0 = Int64(min(max(newValue, -Self.longestLifetime), Self.longestLifetime)) } }
    }

    /// Knows no installation any more, as a server that lost its data: devices have to register again.
    public func forgetInstallations() { installations.withLock { $0 = InstallationRegistry() } }
}

// MARK: - What devices asked for

extension ModelHost {
    /// How many requests of this kind have come so far; redirects that were followed count as well.
    public func requestCount(_ kind: RequestKind) -> Int { requests(kind).count }

    /// What the device told that last asked for a model; nil before the first one.
    public var lastDescription: DeviceDescription? {
        requests(.info).last.map { DeviceDescription(header: $0.header) }
    }

    /// How many bytes of files have gone out so far.
    public var bytesSent: Int { log.withLock { $0.bytesSent } }

    /// What devices reported, in the order in which it came; what came twice is here twice.
    package var eventItems: [EventBodies.Item] {
        requests(.events).compactMap { EventBodies.Batch($0) }.flatMap(\.items)
    }

    package func requests(_ kind: RequestKind) -> [TransportRequest] {
        log.withLock { $0.requests.filter { $0.kind == kind }.map(\.request) }
    }
}

// MARK: - Faults

extension ModelHost {
    /// Lets requests go wrong. Each request takes one fault of its kind, in the order in which they were set up.
    ///
    /// - Parameter times: How many requests the fault is for; nil for all that come, until ``endFaults()``.
    public func fail(_ kind: RequestKind, with fault: HostFault, times: Int? = 1) {
        script.withLock { $0.add(fault, to: kind, times: times) }
    }

    /// Nothing goes wrong any more. What is held stays held.
    public func endFaults() { script.withLock { $0.endFaults() } }

    /// Holds the next request of this kind until the test lets it go.
    ///
    /// - Parameter afterBytes: How many bytes of the answer's body go out before; at its end when it has not as many. With 0
    ///   nothing of the answer is decided yet.
    public func hold(_ kind: RequestKind, afterBytes: Int = 0) -> HeldRequest {
        let barrier = RequestBarrier(afterBytes: afterBytes)
        script.withLock { $0.hold(barrier, kind) }
        return HeldRequest(barrier: barrier)
    }

    /// Changes all answers of this kind from now on, until ``endFaults()``; several changes add up, in order. For accidents
    /// that no ``HostFault`` describes.
    package func on(_ kind: RequestKind, _ change: @escaping AnswerChange) {
        script.withLock { $0.add(change, to: kind) }
    }

    /// Nobody reaches the host, until ``endFaults()``.
    public func goOffline() {
        for kind in RequestKind.allCases { fail(kind, with: .offline, times: nil) }
    }
}

// MARK: - Answers

extension ModelHost {
    func nextStep(_ kind: RequestKind, _ request: TransportRequest) -> FaultScript.Step {
        log.withLock { $0.requests.append((kind, request)) }
        return script.withLock { $0.next(kind) }
    }

    func countSent(_ bytes: Int) { log.withLock { $0.bytesSent += bytes } }

    func answerInstallation(_ request: TransportRequest, now: Timestamp) -> HostAnswer {
        problem(with: request) ?? installations.withLock { $0.answer(request, now: now) }
    }

    func answerInfo(_ request: TransportRequest, now: Timestamp) -> HostAnswer {
        if let problem = problem(with: request) { return problem }
        let token = request.header(WireHeader.installationToken)
        guard installations.withLock({ $0.accepts(token, now: now) }) else {
            return .error(.unauthenticated, "The request is missing a valid installation token.")
        }
        let expires = now.adding(seconds: lifetime.withLock { $0 })
        // A copy, since the conditions in it are the test's own code and may call the host.
        let catalog = catalog.withLock { $0 }
        return catalog.info(request, linkURL: linkURL, expires: expires)
    }

    func answerEvents(_ request: TransportRequest, now: Timestamp) -> HostAnswer {
        if let problem = problem(with: request) { return problem }
        let token = request.header(WireHeader.installationToken)
        guard installations.withLock({ $0.accepts(token, now: now) }) else {
            return .error(.unauthenticated, "The request is missing a valid installation token.")
        }
        guard let batch = EventBodies.Batch(request), let last = batch.items.last else {
            return .error(.invalidArgument, "The body is not readable.")
        }
        return .json(EventBodies.Response(accepted: last.sequence))
    }

    func answerFile(_ request: TransportRequest, now: Timestamp) -> HostAnswer {
        catalog.withLock { $0.file(request, link: FileLink(request.url, baseURL: linkURL), now: now) }
    }

    private func problem(with request: TransportRequest) -> HostAnswer? {
        let hasKey = request.header(WireHeader.apiKey) != nil || request.url.contains("?key=")
        return hasKey ? nil : .error(.permissionDenied, "The request is missing a valid API key.")
    }
}

extension EventBodies.Batch {
    /// Nil for a body that is none.
    fileprivate init?(_ request: TransportRequest) {
        guard case .bytes(let bytes) = request.body,
            let batch = try? WireJSON.decode(EventBodies.Batch.self, from: bytes)
        else { return nil }
        self = batch
    }
}

/// What has come to a host, and gone out.
struct RequestLog: Sendable {
    var requests: [(kind: ModelHost.RequestKind, request: TransportRequest)] = []
    var bytesSent = 0
}

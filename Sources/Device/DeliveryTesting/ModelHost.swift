public import Foundation
public import HearthApp
import HearthConcurrency
package import HearthTransport
package import HearthWire

/// Decides whether a device gets a version. Called on the thread that sends the device's request.
public typealias DeviceFilter = @Sendable (DeviceDescription) -> Bool

/// A model server in memory, to which an app's tests publish models, and which they make fail.
///
/// It answers every call of a device as a real server does, and opens no socket. ``TestDevice`` connects devices with
/// it. Use it from any thread.
public final class ModelHost: Sendable {
    /// The kinds of request that a device makes.
    public enum RequestKind: Sendable, Hashable, CaseIterable {
        /// Requests for the installation's identity and its token.
        case installation
        /// Requests for the newest version of a model and the link to its file.
        case info
        /// Requests for a file, or for a part of it.
        case file
        /// A batch of events and exposures. The host accepts all batches and does not count them.
        case events
    }

    /// The host's address, for `FirebaseOptions.serverURL`.
    public let serverURL: String
    /// The beginning of links to files: another host than the server's, as with an object store.
    public let linkURL: String
    /// The clock by which links and tokens expire and slow answers arrive.
    public let clock: FakeClock

    private let catalog = Lock(ModelCatalog())
    private let installations = Lock(InstallationRegistry())
    private let script = Lock(FaultScript())
    private let log = Lock(RequestLog())
    private let lifetime = Lock<Int64>(3600)
    /// A century, which is far below every overflow.
    private static let longestLifetime = 3_155_760_000

    /// Makes a host without models.
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
    /// Publishes `bytes` as the newest version of the model `name`. They need not be a model that runs.
    ///
    /// - Parameter condition: Decides which devices get this version. Other devices get the newest version whose
    ///   condition they meet, or 404 if there is none.
    public func publish(_ bytes: Data, as name: String, where condition: @escaping DeviceFilter = { _ in true }) {
        publish(Array(bytes), as: name, where: condition)
    }

    package func publish(
        _ bytes: [UInt8], as name: String, where condition: @escaping DeviceFilter = { _ in true }
    ) {
        catalog.withLock { $0.publish(bytes, as: name, matches: condition) }
    }

    /// Reads the whole file into memory and publishes it. Throws the errors of `Data(contentsOf:)`.
    public func publish(
        contentsOfFile path: String, as name: String, where condition: @escaping DeviceFilter = { _ in true }
    ) throws {
        publish(try Data(contentsOf: URL(fileURLWithPath: path)), as: name, where: condition)
    }

    /// Removes the newest version: devices get the one before it, with its old number, or 404 if there is none.
    public func rollBack(_ name: String) { catalog.withLock { $0.rollBack(name) } }

    /// Unpublishes a model. Links that were issued work until they expire.
    public func unpublish(_ name: String) { catalog.withLock { $0.unpublish(name) } }

    /// The lifetime of links to files in seconds; an hour by default. With zero or less, links have expired when they
    /// arrive.
    public var linkLifetimeSeconds: Int {
        get { Int(lifetime.withLock { $0 }) }
        set { lifetime.withLock { $0 = Int64(min(max(newValue, -Self.longestLifetime), Self.longestLifetime)) } }
    }

    /// Forgets all installations, as a server that has lost its data: devices must register again.
    public func forgetInstallations() { installations.withLock { $0 = InstallationRegistry() } }
}

// MARK: - Requests

extension ModelHost {
    /// How many requests of this kind have arrived, including redirects that devices followed.
    public func requestCount(_ kind: RequestKind) -> Int { requests(kind).count }

    /// The description of the device that last requested a model; nil before the first request.
    public var lastDescription: DeviceDescription? {
        requests(.info).last.map { DeviceDescription(header: $0.header) }
    }

    /// How many bytes of files the host has sent.
    public var bytesSent: Int { log.withLock { $0.bytesSent } }

    /// The items that devices reported, in the order in which they arrived; items that arrived twice are here twice.
    package var eventItems: [EventBodies.Item] {
        requests(.events).compactMap { EventBodies.Batch($0) }.flatMap(\.items)
    }

    package func requests(_ kind: RequestKind) -> [TransportRequest] {
        log.withLock { $0.requests.filter { $0.kind == kind }.map(\.request) }
    }
}

// MARK: - Faults

extension ModelHost {
    /// Makes requests fail. Each request takes one fault of its kind, in the order in which they were added.
    ///
    /// - Parameter times: How many requests get the fault; nil for all, until ``endFaults()``.
    public func fail(_ kind: RequestKind, with fault: HostFault, times: Int? = 1) {
        script.withLock { $0.add(fault, to: kind, times: times) }
    }

    /// Ends all faults. Held requests stay held.
    public func endFaults() { script.withLock { $0.endFaults() } }

    /// Holds the next request of this kind until the test releases it.
    ///
    /// - Parameter afterBytes: How many bytes of the answer's body the host sends before; a shorter answer is held at
    ///   its end. With 0, the host has not decided about the answer yet.
    public func hold(_ kind: RequestKind, afterBytes: Int = 0) -> HeldRequest {
        let barrier = RequestBarrier(afterBytes: afterBytes)
        script.withLock { $0.hold(barrier, kind) }
        return HeldRequest(barrier: barrier)
    }

    /// Changes all answers of this kind from now on, until ``endFaults()``; several changes apply in order. For
    /// failures that no ``HostFault`` describes.
    package func on(_ kind: RequestKind, _ change: @escaping AnswerChange) {
        script.withLock { $0.add(change, to: kind) }
    }

    /// Makes the host unreachable until ``endFaults()``.
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
        // A copy, because its conditions are the test's own code and may call the host.
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
    /// nil for a body that is not a batch.
    fileprivate init?(_ request: TransportRequest) {
        guard case .bytes(let bytes) = request.body,
            let batch = try? WireJSON.decode(EventBodies.Batch.self, from: bytes)
        else { return nil }
        self = batch
    }
}

/// The requests to a host, and the bytes that it sent.
struct RequestLog: Sendable {
    var requests: [(kind: ModelHost.RequestKind, request: TransportRequest)] = []
    var bytesSent = 0
}

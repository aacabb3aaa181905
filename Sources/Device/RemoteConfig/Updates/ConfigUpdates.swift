import Dispatch
import Foundation
import HearthApp
import HearthClient
import HearthConcurrency
import HearthTransport

/// Keeps a stream of updates open while anybody listens, and fetches what it announces.
final class ConfigUpdates: Sendable {
    private let core: ConfigCore
    private let listeners = UpdateListeners()
    /// Of the stream that is open, or waits to be opened again; nil when nobody listens.
    private let current = Lock<Cancellation?>(nil)
    /// A stream that ends and the next one may overlap.
    private let queue = DispatchQueue(label: "app.hearth.remoteconfig.updates", attributes: .concurrent)

    private static let fetchAttempts = 3
    private static let longestFetchDelaySeconds = 3.0

    init(core: ConfigCore) { self.core = core }

    /// - Parameter end: Called once when the app is deleted.
    func add(
        _ listener: @escaping (RemoteConfigUpdate?, (any Error)?) -> Void, end: @escaping @Sendable () -> Void = {}
    ) -> ConfigUpdateListenerRegistration {
        let number = listeners.add(listener, end: end)
        open()
        return ConfigUpdateListenerRegistration { [weak self] in
            self?.listeners.remove(number)
            self?.closeIfUnused()
        }
    }

    func close() {
        listeners.close()
        closeIfUnused()
    }

    private func open() {
        let started: Cancellation? = current.withLock { current in
            guard current == nil, !listeners.isEmpty else { return nil }
            current = Cancellation()
            return current
        }
        if let started { listen(started, StreamBackoff()) }
    }

    private func closeIfUnused() {
        current.withLock { current in
            guard listeners.isEmpty else { return }
            current?.cancel()
            current = nil
        }
    }

    private func listen(_ cancellation: Cancellation, _ pauses: StreamBackoff) {
        queue.async { [weak self] in self?.runStream(cancellation, pauses) }
    }

    /// One stream from beginning to end. Blocks.
    private func runStream(_ cancellation: Cancellation, _ pauses: StreamBackoff) {
        guard !cancellation.isCancelled else { return }
        var heard = StreamSummary()
        let stream = UpdateStream(app: core.app, cancellation: cancellation)
        let end = stream.listen(core.withState { $0.record }) { [self] message in
            guard !cancellation.isCancelled else { return false }
            guard let message else {
                listeners.notify(.failure(RemoteConfigUpdateError.error(.messageInvalid)))
                return true
            }
            heard.add(message)
            if let version = message.version, !heard.isDisabled { fetch(version, cancellation) }
            return !heard.isDisabled
        }
        guard !cancellation.isCancelled else { return }
        scheduleReconnect(cancellation, pauses, after: end, heard)
    }

    /// Opens the next stream after a pause, unless that is no use.
    private func scheduleReconnect(
        _ cancellation: Cancellation, _ pauses: StreamBackoff, after end: UpdateStream.End,
        _ heard: StreamSummary
    ) {
        if heard.isDisabled { return stop(cancellation, .unavailable, nil) }
        if case .refused(let reason) = end { return stop(cancellation, .streamError, reason) }
        var pauses = pauses
        let pause = pauses.next(
            wasSuccessful: heard.hasVersion || end.wasOpen, requestedSeconds: heard.retrySeconds,
            retryAfterSeconds: end.retryAfterSeconds, random: core.app.environment.random())
        if pauses.shouldReportFailure { notify(.streamError, end.cause?.localizedDescription, end.cause) }
        _ = core.app.environment.clock.schedule(afterSeconds: pause) { [weak self, pauses] in
            self?.listen(cancellation, pauses)
        }
    }

    /// Until somebody listens anew.
    private func stop(
        _ cancellation: Cancellation, _ code: RemoteConfigUpdateError.Code, _ reason: String?
    ) {
        current.withLock { current in
            if current === cancellation { current = nil }
        }
        notify(code, reason)
    }

    private func notify(
        _ code: RemoteConfigUpdateError.Code, _ reason: String?, _ cause: (any Error)? = nil
    ) {
        listeners.notify(.failure(RemoteConfigUpdateError.error(code, reason: reason, underlying: cause)))
    }

    /// Fetches until the announced version is there, each time after a while that differs among devices. Blocks.
    private func fetch(_ version: Int64, _ cancellation: Cancellation) {
        let environment = core.app.environment
        for attempt in 1...Self.fetchAttempts {
            guard core.withState({ $0.record.fetched?.version ?? 0 }) < version else { return }
            environment.clock.wait(
                seconds: environment.random() * Self.longestFetchDelaySeconds, cancellation: cancellation)
            guard !cancellation.isCancelled else { return }
            // One that is under way would be answered with what is there, and may bring the version.
            wait { core.afterCurrentFetch($0) }
            if core.withState({ $0.record.fetched?.version ?? 0 }) < version {
                wait { isDone in core.fetch(.realtime(attempt: attempt), minimumIntervalSeconds: 0) { _ in isDone() } }
            }
            let (known, changed) = core.withState {
                ($0.record.fetched?.version ?? 0, $0.record.fetched?.changedKeys(from: $0.record.active) ?? [])
            }
            guard known >= version else { continue }
            if !changed.isEmpty { listeners.notify(.success(RemoteConfigUpdate(updatedKeys: changed))) }
            return
        }
        notify(.notFetched, nil)
    }

    private func wait(_ begin: (_ isDone: @escaping @Sendable () -> Void) -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        begin { isDone.signal() }
        isDone.wait()
    }
}

extension UpdateStream.End {
    fileprivate var wasOpen: Bool {
        if case .closed(let wasOpen, _, _) = self { wasOpen } else { false }
    }

    fileprivate var retryAfterSeconds: Double? {
        if case .closed(_, _, let seconds) = self { seconds } else { nil }
    }

    fileprivate var cause: (any Error)? {
        if case .closed(_, let cause, _) = self { cause } else { nil }
    }
}

/// What the messages of one stream said, as far as it matters at its end.
struct StreamSummary: Sendable {
    private(set) var hasVersion = false
    private(set) var isDisabled = false
    private(set) var retrySeconds: Double?

    mutating func add(_ message: StreamMessage) {
        hasVersion = hasVersion || message.version != nil
        isDisabled = isDisabled || message.isDisabled
        retrySeconds = message.retrySeconds ?? retrySeconds
    }
}

/// How long to wait before the stream is opened again. Pure.
struct StreamBackoff: Sendable, Equatable {
    /// After so many streams in a row that did not work, listeners get an error.
    static let failureLimit = 7

    private var backoff = Backoff(firstSeconds: 4, longestSeconds: 900)
    private var failureCount = 0

    /// Whether this end was the one after which listeners get an error, once until a stream works again.
    var shouldReportFailure: Bool { failureCount == Self.failureLimit }

    /// - Parameters:
    ///   - wasSuccessful: Whether there was a stream that worked.
    ///   - requestedSeconds: What the server asked for in a stream, for the time after its end.
    ///   - retryAfterSeconds: What a server that gave no stream asked for.
    ///   - random: From 0 up to, but not including, 1.
    mutating func next(
        wasSuccessful: Bool, requestedSeconds: Double?, retryAfterSeconds: Double? = nil, random: Double
    ) -> Double {
        if requestedSeconds != nil || wasSuccessful {
            failureCount = 0
            backoff.reset()
        }
        if let requestedSeconds { return min(max(1, requestedSeconds), Backoff.longestRequestedSeconds) }
        if wasSuccessful { return Self.pauseAfterSuccess * (0.5 + random) }
        failureCount = min(failureCount, 1000) + 1
        return backoff.next(requestedSeconds: retryAfterSeconds, random: random)
    }

    private static let pauseAfterSuccess = 2.0
}

import Dispatch
import Foundation
import HearthApp
import HearthClient
import HearthConcurrency
import HearthTransport

/// Keeps a stream of updates open while there are listeners, and fetches the announced versions.
final class ConfigUpdates: Sendable {
    private let core: ConfigCore
    private let listeners = UpdateListeners()
    /// The cancellation of the stream that is open or waits for its next connection; nil without listeners.
    private let current = Lock<Cancellation?>(nil)
    /// Concurrent, because an ending stream and the next one may overlap.
    private let queue = DispatchQueue(label: "app.hearth.remoteconfig.updates", attributes: .concurrent)

    private static let fetchAttempts = 3
    private static let longestFetchDelaySeconds = 3.0

    init(core: ConfigCore) { self.core = core }

    /// Adds a listener, and opens the stream if it is the first one.
    ///
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

    private func listen(_ cancellation: Cancellation, _ backoff: StreamBackoff) {
        queue.async { [weak self] in self?.runStream(cancellation, backoff) }
    }

    /// Runs one stream from beginning to end. Blocks.
    private func runStream(_ cancellation: Cancellation, _ backoff: StreamBackoff) {
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
        scheduleReconnect(cancellation, backoff, after: end, heard)
    }

    /// Opens the next stream after a backoff, unless another attempt would be useless.
    private func scheduleReconnect(
        _ cancellation: Cancellation, _ backoff: StreamBackoff, after end: UpdateStream.End,
        _ heard: StreamSummary
    ) {
        if heard.isDisabled { return stop(cancellation, .unavailable, nil) }
        if case .refused(let reason) = end { return stop(cancellation, .streamError, reason) }
        var backoff = backoff
        let delay = backoff.next(
            wasSuccessful: heard.hasVersion || end.wasOpen, requestedSeconds: heard.retrySeconds,
            retryAfterSeconds: end.retryAfterSeconds, random: core.app.environment.random())
        if backoff.shouldReportFailure { notify(.streamError, end.cause?.localizedDescription, end.cause) }
        _ = core.app.environment.clock.schedule(afterSeconds: delay) { [weak self, backoff] in
            self?.listen(cancellation, backoff)
        }
    }

    /// Ends the connections until a listener is added.
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

    /// Fetches until the announced version has arrived. Each attempt waits for a time that differs between devices.
    /// Blocks.
    private func fetch(_ version: Int64, _ cancellation: Cancellation) {
        let environment = core.app.environment
        for attempt in 1...Self.fetchAttempts {
            guard core.withState({ $0.record.fetched?.version ?? 0 }) < version else { return }
            environment.clock.wait(
                seconds: environment.random() * Self.longestFetchDelaySeconds, cancellation: cancellation)
            guard !cancellation.isCancelled else { return }
            // During a running fetch, a new one would only return the last status; and the running one may bring the
            // version.
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

/// What the messages of one stream mean for its end.
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

/// The backoff before the stream is opened again. Pure.
struct StreamBackoff: Sendable, Equatable {
    /// After this many failed streams in a row, listeners get an error.
    static let failureLimit = 7

    private var backoff = Backoff(firstSeconds: 4, longestSeconds: 900)
    private var failureCount = 0

    /// Whether listeners get an error now: once, until a stream works again.
    var shouldReportFailure: Bool { failureCount == Self.failureLimit }

    /// The seconds before the next stream.
    ///
    /// - Parameters:
    ///   - wasSuccessful: Whether the stream worked.
    ///   - requestedSeconds: What the server asked for in the stream, for the time after its end.
    ///   - retryAfterSeconds: What a server that opened no stream asked for.
    ///   - random: From 0 up to, but not including, 1.
    mutating func next(
        wasSuccessful: Bool, requestedSeconds: Double?, retryAfterSeconds: Double? = nil, random: Double
    ) -> Double {
        if requestedSeconds != nil || wasSuccessful {
            failureCount = 0
            backoff.reset()
        }
        if let requestedSeconds { return min(max(1, requestedSeconds), Backoff.longestRequestedSeconds) }
        if wasSuccessful { return Self.secondsAfterSuccess * (0.5 + random) }
        failureCount = min(failureCount, 1000) + 1
        return backoff.next(requestedSeconds: retryAfterSeconds, random: random)
    }

    private static let secondsAfterSuccess = 2.0
}

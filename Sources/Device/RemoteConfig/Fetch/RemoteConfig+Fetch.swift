import Dispatch
public import Foundation
import HearthApp
import HearthConcurrency

extension RemoteConfig {
    /// Reads the stored values, and then calls the handler on a background queue. The error is always nil.
    public func ensureInitialized(completionHandler: @escaping ((any Error)?) -> Void) {
        let callback = Callback<(any Error)?>(completionHandler)
        core.whenLoaded { callback.call(with: nil, on: .global()) }
    }

    /// Returns when the stored values have been read. Needs no connection, and never throws.
    public func ensureInitialized() async throws {
        await withCheckedContinuation { continuation in core.whenLoaded { continuation.resume() } }
    }

    /// Fetches, unless the server answered less than ``RemoteConfigSettings/minimumFetchInterval`` ago: then the fetch
    /// succeeds immediately. A call during another fetch does not wait for it, and gets the last status.
    ///
    /// - Parameter completionHandler: Called on the app's `callbackQueue`, with an `NSError` in
    ///   ``RemoteConfigErrorDomain`` after a failure.
    public func fetch(completionHandler: ((RemoteConfigFetchStatus, (any Error)?) -> Void)?) {
        fetch(minimumIntervalSeconds: nil, completionHandler)
    }

    /// Starts ``fetch(completionHandler:)`` and does not wait for it.
    @available(
        *, noasync, message: "it does not wait; write: let status: RemoteConfigFetchStatus = try await ..."
    )
    public func fetch() { fetch(completionHandler: nil) }

    /// Fetches, unless the server answered less than ``RemoteConfigSettings/minimumFetchInterval`` ago: then this
    /// returns immediately. A call during another fetch does not wait for it, and gets the last status. `activate()`
    /// makes fetched values visible. Cancelling the task does not end the fetch.
    ///
    /// - Returns: `.success`; during another fetch, the last status.
    /// - Throws: `NSError` in ``RemoteConfigErrorDomain``: `throttled` during a backoff, otherwise `internalError` with
    ///   the reason.
    @discardableResult
    public func fetch() async throws -> RemoteConfigFetchStatus { try await fetch(minimumIntervalSeconds: nil) }

    /// Fetches as ``fetch(completionHandler:)`` does, but with an interval of the caller's.
    ///
    /// - Parameters:
    ///   - expirationDuration: In seconds, instead of the settings' interval; 0 always calls the server.
    ///   - completionHandler: Called on the app's `callbackQueue`.
    public func fetch(
        withExpirationDuration expirationDuration: TimeInterval,
        completionHandler: ((RemoteConfigFetchStatus, (any Error)?) -> Void)?
    ) {
        fetch(minimumIntervalSeconds: expirationDuration, completionHandler)
    }

    /// Starts ``fetch(withExpirationDuration:completionHandler:)`` and does not wait for it.
    @available(
        *, noasync, message: "it does not wait; write: let status: RemoteConfigFetchStatus = try await ..."
    )
    public func fetch(withExpirationDuration expirationDuration: TimeInterval) {
        fetch(withExpirationDuration: expirationDuration, completionHandler: nil)
    }

    /// Fetches as the async `fetch()` does, but with an interval of the caller's.
    ///
    /// - Parameter expirationDuration: In seconds, instead of the settings' interval; 0 always calls the server.
    /// - Throws: `NSError` in ``RemoteConfigErrorDomain``.
    @discardableResult
    public func fetch(
        withExpirationDuration expirationDuration: TimeInterval
    ) async throws -> RemoteConfigFetchStatus {
        try await fetch(minimumIntervalSeconds: expirationDuration)
    }

    /// Fetches, and activates after a success. As in the original, the status is also `.successFetchedFromRemote` when
    /// the stored values were fresh.
    ///
    /// - Parameter completionHandler: Called on the app's `callbackQueue`, with `.error` and an `NSError` in
    ///   ``RemoteConfigErrorDomain`` when the fetch failed.
    public func fetchAndActivate(
        completionHandler: ((RemoteConfigFetchAndActivateStatus, (any Error)?) -> Void)?
    ) {
        let callback = Self.callback(completionHandler)
        let app = core.app
        fetchAndActivate { status, error in
            callback?.call(with: CompletionArguments(status: status, error: error), on: app.serialCallbackQueue)
        }
    }

    /// Starts ``fetchAndActivate(completionHandler:)`` and does not wait for it.
    @available(
        *, noasync,
        message: "it does not wait; write: let status: RemoteConfigFetchAndActivateStatus = try await ..."
    )
    public func fetchAndActivate() { fetchAndActivate(completionHandler: nil) }

    /// Fetches, and activates after a success: the server's values are visible when this returns. After an error, the
    /// values that were active stay active. As in the original, the status is also `.successFetchedFromRemote` when the
    /// stored values were fresh.
    ///
    /// - Throws: `NSError` in ``RemoteConfigErrorDomain``: `throttled` during a backoff, otherwise `internalError` with
    ///   the reason.
    @discardableResult
    public func fetchAndActivate() async throws -> RemoteConfigFetchAndActivateStatus {
        try await withCheckedThrowingContinuation { continuation in
            fetchAndActivate { status, error in
                continuation.resume(with: error.map(Result.failure) ?? .success(status))
            }
        }
    }

    /// Makes the last fetched values visible.
    ///
    /// - Parameter completion: Called on a background queue, with false when nothing changed. The error is always nil.
    public func activate(completion: ((Bool, (any Error)?) -> Void)?) {
        let callback = Self.callback(completion)
        activate { isNew in callback?.call(with: CompletionArguments(status: isNew, error: nil), on: .global()) }
    }

    /// Starts ``activate(completion:)`` and does not wait for it.
    @available(*, noasync, message: "it does not wait; write: let isNew: Bool = try await ...")
    public func activate() { activate(completion: nil) }

    /// Makes the last fetched values visible. Needs no connection, and never throws.
    ///
    /// - Returns: False when nothing changed.
    @discardableResult
    public func activate() async throws -> Bool {
        await withCheckedContinuation { continuation in activate { continuation.resume(returning: $0) } }
    }

    private func activate(then completion: @escaping @Sendable (Bool) -> Void) {
        core.activate { [app = core.app] isNew in
            if isNew { ActivationNotification.post(app) }
            completion(isNew)
        }
    }

    private func fetchAndActivate(
        then completion: @escaping @Sendable (RemoteConfigFetchAndActivateStatus, NSError?) -> Void
    ) {
        core.fetch { [self] outcome in
            guard outcome.status == .success, outcome.error == nil else { return completion(.error, outcome.error) }
            activate { _ in completion(.successFetchedFromRemote, nil) }
        }
    }

    private func fetch(
        minimumIntervalSeconds: Double?, _ completion: ((RemoteConfigFetchStatus, (any Error)?) -> Void)?
    ) {
        let callback = Self.callback(completion)
        core.fetch(minimumIntervalSeconds: minimumIntervalSeconds) { [app = core.app] outcome in
            callback?.call(
                with: CompletionArguments(status: outcome.status, error: outcome.error), on: app.serialCallbackQueue)
        }
    }

    private func fetch(minimumIntervalSeconds: Double?) async throws -> RemoteConfigFetchStatus {
        try await withCheckedThrowingContinuation { continuation in
            core.fetch(minimumIntervalSeconds: minimumIntervalSeconds) { outcome in
                continuation.resume(with: outcome.error.map(Result.failure) ?? .success(outcome.status))
            }
        }
    }

    private static func callback<Status: Sendable>(
        _ completion: ((Status, (any Error)?) -> Void)?
    ) -> Callback<CompletionArguments<Status>>? {
        completion.map { completion in Callback { completion($0.status, $0.error) } }
    }
}

/// The arguments of a completion.
private struct CompletionArguments<Status: Sendable>: Sendable {
    var status: Status
    var error: NSError?
}

/// How the last fetch ended.
public enum RemoteConfigFetchStatus: Int, Sendable {
    /// No fetch has ended yet.
    case noFetchYet = 0
    /// The server answered, or the stored values were fresh.
    case success = 1
    /// The fetch failed.
    case failure = 2
    /// A backoff is running, because the server was busy.
    case throttled = 3
}

/// How fetching and activating ended.
public enum RemoteConfigFetchAndActivateStatus: Int, Sendable {
    /// Fetched and activated; also when the stored values were fresh or nothing changed.
    case successFetchedFromRemote = 0
    /// Kept for existing apps; Hearth does not use it.
    case successUsingPreFetchedData = 1
    /// The fetch failed.
    case error = 2
}

/// The notification that an activation changed the visible values. Posted on the app's callback queue.
enum ActivationNotification {
    static let name = Notification.Name("FIRRemoteConfigActivateNotification")
    static let appNameKey = "FIRAppNameKey"

    static func post(_ app: FirebaseApp) {
        let appName = app.name
        app.serialCallbackQueue.async {
            NotificationCenter.default.post(name: name, object: nil, userInfo: [appNameKey: appName])
        }
    }
}

import Dispatch
public import Foundation
import HearthApp
import HearthConcurrency

extension RemoteConfig {
    /// Reads what is kept on the disk, and calls back on a background queue. The error is always nil.
    public func ensureInitialized(completionHandler: @escaping ((any Error)?) -> Void) {
        let callback = Callback<(any Error)?>(completionHandler)
        core.whenLoaded { callback.call(with: nil, on: .global()) }
    }

    /// Returns when what is kept on the disk has been read. Needs no connection, and never throws.
    public func ensureInitialized() async throws {
        await withCheckedContinuation { continuation in core.whenLoaded { continuation.resume() } }
    }

    /// Asks the server, unless it answered less than ``RemoteConfigSettings/minimumFetchInterval`` ago: then it is a
    /// success at once. A call during another one does not wait for it, and gets the last status.
    ///
    /// - Parameter completionHandler: Called on the app's `callbackQueue`, with an `NSError` in ``RemoteConfigErrorDomain`` when
    ///   there was one.
    public func fetch(completionHandler: ((RemoteConfigFetchStatus, (any Error)?) -> Void)?) {
        fetch(minimumIntervalSeconds: nil, completionHandler)
    }

    /// Starts ``fetch(completionHandler:)`` and does not wait for it.
    @available(
        *, noasync, message: "it does not wait; write: let status: RemoteConfigFetchStatus = try await ..."
    )
    public func fetch() { fetch(completionHandler: nil) }

    /// Asks the server, unless it answered less than ``RemoteConfigSettings/minimumFetchInterval`` ago: then it returns at once.
    /// A call during another one does not wait for it, and gets the last status. What was fetched becomes visible with
    /// ``activate()``. Ending the task does not end the fetch.
    ///
    /// - Returns: `.success`. Other ends are thrown, but for that of a call during another one.
    /// - Throws: `NSError` in ``RemoteConfigErrorDomain``: `throttled` while the server wants to be left alone, else
    ///   `internalError` with the reason.
    @discardableResult
    public func fetch() async throws -> RemoteConfigFetchStatus { try await fetch(minimumIntervalSeconds: nil) }

    /// As ``fetch(completionHandler:)``, with an interval of its own.
    ///
    /// - Parameters:
    ///   - expirationDuration: In seconds, in the place of the settings' interval; 0 asks in any case.
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

    /// As the async `fetch()`, with an interval of its own.
    ///
    /// - Parameter expirationDuration: In seconds, in the place of the settings' interval; 0 asks in any case.
    /// - Throws: `NSError` in ``RemoteConfigErrorDomain``.
    @discardableResult
    public func fetch(
        withExpirationDuration expirationDuration: TimeInterval
    ) async throws -> RemoteConfigFetchStatus {
        try await fetch(minimumIntervalSeconds: expirationDuration)
    }

    /// Fetches, and activates when that succeeds. As in the original, the status is `.successFetchedFromRemote` also when
    /// nothing had to be fetched.
    ///
    /// - Parameter completionHandler: Called on the app's `callbackQueue`, with `.error` and an `NSError` in
    ///   ``RemoteConfigErrorDomain`` when fetching failed.
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

    /// Fetches, and activates when that succeeds: what the server has is visible when this returns. What was active before stays so
    /// when it throws. As in the original, the status is `.successFetchedFromRemote` also when nothing had to be fetched.
    ///
    /// - Throws: `NSError` in ``RemoteConfigErrorDomain``: `throttled` while the server wants to be left alone, else
    ///   `internalError` with the reason.
    @discardableResult
    public func fetchAndActivate() async throws -> RemoteConfigFetchAndActivateStatus {
        try await withCheckedThrowingContinuation { continuation in
            fetchAndActivate { status, error in
                continuation.resume(with: error.map(Result.failure) ?? .success(status))
            }
        }
    }

    /// Makes what was fetched last visible.
    ///
    /// - Parameter completion: Called on a background queue, with false when nothing was new. The error is always nil.
    public func activate(completion: ((Bool, (any Error)?) -> Void)?) {
        let callback = Self.callback(completion)
        activate { isNew in callback?.call(with: CompletionArguments(status: isNew, error: nil), on: .global()) }
    }

    /// Starts ``activate(completion:)`` and does not wait for it.
    @available(*, noasync, message: "it does not wait; write: let isNew: Bool = try await ...")
    public func activate() { activate(completion: nil) }

    /// Makes what was fetched last visible. Needs no connection, and never throws.
    ///
    /// - Returns: False when nothing was new.
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

/// What a completion is called with.
private struct CompletionArguments<Status: Sendable>: Sendable {
    var status: Status
    var error: NSError?
}

/// How the last fetch ended.
public enum RemoteConfigFetchStatus: Int, Sendable {
    case noFetchYet = 0
    /// The server answered, or what is there is young enough.
    case success = 1
    case failure = 2
    /// The server asked for a pause.
    case throttled = 3
}

/// How fetching and activating ended.
public enum RemoteConfigFetchAndActivateStatus: Int, Sendable {
    /// Also when what is there is young enough, or nothing changed.
    case successFetchedFromRemote = 0
    case successUsingPreFetchedData = 1
    case error = 2
}

/// Posted on the app's callback queue when another configuration is active than before.
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

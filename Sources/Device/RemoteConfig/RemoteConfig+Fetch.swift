import Dispatch
public import Foundation
import HearthApp

extension RemoteConfig {
    /// Reads what is kept on the disk, and calls back on a background queue.
    public func ensureInitialized(completionHandler: @escaping ((any Error)?) -> Void) {
        let callback = Callback<(any Error)?>(completionHandler)
        core.whenLoaded { callback.call(with: nil, on: .global()) }
    }

    public func ensureInitialized() async throws {
        await withCheckedContinuation { continuation in core.whenLoaded { continuation.resume() } }
    }

    /// Asks the server, unless it answered less than ``RemoteConfigSettings/minimumFetchInterval`` ago: then it is a
    /// success at once. A call during another one does not wait for it, and gets the last status.
    public func fetch(completionHandler: ((RemoteConfigFetchStatus, (any Error)?) -> Void)? = nil) {
        fetch(youngSeconds: nil, completionHandler)
    }

    @discardableResult
    public func fetch() async throws -> RemoteConfigFetchStatus { try await fetch(youngSeconds: nil) }

    /// - Parameter expirationDuration: In seconds, in the place of the settings' interval; 0 asks in any case.
    public func fetch(
        withExpirationDuration expirationDuration: TimeInterval,
        completionHandler: ((RemoteConfigFetchStatus, (any Error)?) -> Void)? = nil
    ) {
        fetch(youngSeconds: expirationDuration, completionHandler)
    }

    @discardableResult
    public func fetch(
        withExpirationDuration expirationDuration: TimeInterval
    ) async throws -> RemoteConfigFetchStatus {
        try await fetch(youngSeconds: expirationDuration)
    }

    /// Fetches, and activates when that succeeds. As in the original, the status is `.successFetchedFromRemote` also when
    /// nothing had to be fetched.
    public func fetchAndActivate(
        completionHandler: ((RemoteConfigFetchAndActivateStatus, (any Error)?) -> Void)? = nil
    ) {
        let callback = Self.callback(completionHandler)
        let app = core.app
        fetchAndActivate { status, error in
            callback?.call(with: Ending(status: status, error: error), on: app.serialCallbackQueue)
        }
    }

    @discardableResult
    public func fetchAndActivate() async throws -> RemoteConfigFetchAndActivateStatus {
        try await withCheckedThrowingContinuation { continuation in
            fetchAndActivate { status, error in
                continuation.resume(with: error.map(Result.failure) ?? .success(status))
            }
        }
    }

    /// Makes what was fetched last visible. Calls back on a background queue, with false when nothing was new.
    public func activate(completion: ((Bool, (any Error)?) -> Void)? = nil) {
        let callback = Self.callback(completion)
        activate { isNew in callback?.call(with: Ending(status: isNew, error: nil), on: .global()) }
    }

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
        youngSeconds: Double?, _ completion: ((RemoteConfigFetchStatus, (any Error)?) -> Void)?
    ) {
        let callback = Self.callback(completion)
        core.fetch(youngSeconds: youngSeconds) { [app = core.app] outcome in
            callback?.call(with: Ending(status: outcome.status, error: outcome.error), on: app.serialCallbackQueue)
        }
    }

    private func fetch(youngSeconds: Double?) async throws -> RemoteConfigFetchStatus {
        try await withCheckedThrowingContinuation { continuation in
            core.fetch(youngSeconds: youngSeconds) { outcome in
                continuation.resume(with: outcome.error.map(Result.failure) ?? .success(outcome.status))
            }
        }
    }

    private static func callback<Status: Sendable>(
        _ completion: ((Status, (any Error)?) -> Void)?
    ) -> Callback<Ending<Status>>? {
        completion.map { completion in Callback { completion($0.status, $0.error) } }
    }
}

/// What a completion is called with.
private struct Ending<Status: Sendable>: Sendable {
    var status: Status
    var error: NSError?
}

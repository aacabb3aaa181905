import Dispatch
public import Foundation
import Synchronization

/// The identity of this installation of an app: an id, and a token that proves it to the server.
///
/// Use it from any thread. Completions are called on the app's `callbackQueue`. Errors are `NSError`s in
/// `InstallationsErrorDomain`.
public final class Installations: NSObject, Sendable {
    private let app: FirebaseApp
    private let client: InstallationClient
    /// One call at a time; blocking work stays off Swift's cooperative pool.
    private let queue = DispatchQueue(label: "app.hearth.installations")

    init(app: FirebaseApp) {
        self.app = app
        let options = app.options
        client = InstallationClient(
            folder: app.folder, appID: options.googleAppID, address: ServerAddress(options),
            environment: app.environment)
    }

    /// Of the default app, which must be configured.
    public class func installations() -> Installations {
        guard let app = FirebaseApp.app() else {
            preconditionFailure("The default FirebaseApp instance must be configured before Installations is used.")
        }
        return installations(app: app)
    }

    /// The same object for the same app.
    public class func installations(app: FirebaseApp) -> Installations {
        instances.withLock { instances in
            if let known = instances[ObjectIdentifier(app)] { return known }
            let made = Installations(app: app)
            instances[ObjectIdentifier(app)] = made
            return made
        }
    }

    // Entries hold their app, so that its identifier cannot come to mean another object.
    private static let instances = Mutex<[ObjectIdentifier: Installations]>([:])

    /// The id; made at the first call, without waiting for the network.
    public func installationID(completion: @escaping (String?, (any Error)?) -> Void) {
        perform({ try $0.installationID() }, completion)
    }

    public func installationID() async throws -> String {
        try await perform { try $0.installationID() }
    }

    /// A token that is valid for an hour at least; from the server when the stored one is not.
    public func authToken(completion: @escaping (InstallationsAuthTokenResult?, (any Error)?) -> Void) {
        authTokenForcingRefresh(false, completion: completion)
    }

    public func authToken() async throws -> InstallationsAuthTokenResult {
        try await authTokenForcingRefresh(false)
    }

    public func authTokenForcingRefresh(
        _ forceRefresh: Bool, completion: @escaping (InstallationsAuthTokenResult?, (any Error)?) -> Void
    ) {
        perform({ try InstallationsAuthTokenResult($0.authToken(forcingRefresh: forceRefresh)) }, completion)
    }

    public func authTokenForcingRefresh(_ forceRefresh: Bool) async throws -> InstallationsAuthTokenResult {
        try await perform { try InstallationsAuthTokenResult($0.authToken(forcingRefresh: forceRefresh)) }
    }

    /// The token for code that blocks its thread already.
    package func blockingAuthToken(forcingRefresh: Bool) throws -> String {
        try queue.sync { try client.authToken(forcingRefresh: forcingRefresh).token }
    }

    /// Forgets the identity on this device; the next call makes a new one.
    public func delete(completion: @escaping ((any Error)?) -> Void) {
        perform({ try $0.delete() }) { _, error in completion(error) }
    }

    public func delete() async throws {
        try await perform { try $0.delete() }
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (InstallationClient) throws -> Value,
        _ completion: @escaping (Value?, (any Error)?) -> Void
    ) {
        let callback = Callback<Result<Value, any Error>> { result in
            switch result {
            case .success(let value): completion(value, nil)
            case .failure(let error): completion(nil, error)
            }
        }
        queue.async { [client, app] in
            callback.call(with: Result { try work(client) }, on: app.callbackQueue)
        }
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (InstallationClient) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [client] in continuation.resume(with: Result { try work(client) }) }
        }
    }
}

/// A token and its end.
public final class InstallationsAuthTokenResult: NSObject, Sendable {
    public let authToken: String
    public let expirationDate: Date

    init(_ token: (token: String, expires: Int64)) {
        authToken = token.token
        expirationDate = Date(timeIntervalSince1970: Double(token.expires))
    }
}

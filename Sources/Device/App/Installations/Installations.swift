import Dispatch
public import Foundation
package import HearthClient
package import HearthConcurrency

/// The identity of this installation of an app: an id, and a token that proves it to the server.
///
/// Use it from any thread. Completions are called on the app's `callbackQueue`. Errors are `NSError`s in
/// `InstallationsErrorDomain`.
public final class Installations: NSObject, Sendable {
    private let app: FirebaseApp
    private let client: InstallationClient
    /// For calls to the server, one after the other: blocking work must not run on Swift's cooperative thread pool.
    private let queue = DispatchQueue(label: "app.hearth.installations")
    /// Separate from the calls, so that an id does not wait for them.
    private let idQueue = DispatchQueue(label: "app.hearth.installations.id")
    private let tokenRequests: AuthTokenRequests
    private let changes = InstallationChangeCounter()
    private let cancellation = Cancellation()

    init(app: FirebaseApp) {
        self.app = app
        let client = InstallationClient(
            folder: app.folder, options: app.options, environment: app.environment, cancellation: cancellation,
            didChange: { [changes] in
                changes.increment()
                InstallationIDNotification.post(app)
            })
        self.client = client
        tokenRequests = AuthTokenRequests(queue: queue) { try client.authToken(forcingRefresh: $0) }
        if case .failure(let error) = client.calls {
            AppLog.installations.error("I-FIS008000", error.localizedDescription)
        }
    }

    /// The installation of the default app. Ends the process when that app is not configured, as the original does.
    public class func installations() -> Installations {
        guard let app = FirebaseApp.registered() else {
            Misuse.stop(
                """
                The default FirebaseApp instance must be configured before the default Installations instance can be \
                initialized. Call `FirebaseApp.configure()` first.
                """)
        }
        return installations(app: app)
    }

    /// The installation of an app: the same object for the same app, until the app is deleted. When the options lack
    /// the project, the key or the server's address, each call that needs them fails with `invalidConfiguration`.
    public class func installations(app: FirebaseApp) -> Installations {
        app.service(
            Installations.self, make: { Installations(app: app) }, close: { $0.cancellation.cancel() })
    }

    /// The id, which is made at the first call. Does not wait for the network, but starts the registration.
    public func installationID(completion: @escaping (String?, (any Error)?) -> Void) {
        let callback = Callback<Result<String, any Error>>(completion: completion)
        idQueue.async { [self] in callback.call(with: startingRegistration(), on: app.serialCallbackQueue) }
    }

    /// The id, which is made at the first call. Does not wait for the network, but starts the registration.
    ///
    /// - Throws: `NSError` in `InstallationsErrorDomain` when the app's folder cannot be read or written.
    @discardableResult
    public func installationID() async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            idQueue.async { [self] in continuation.resume(with: startingRegistration()) }
        }
    }

    private func startingRegistration() -> Result<String, any Error> {
        let id = Result { try client.installationID() }
        if case .success = id { tokenRequests.get(forcingRefresh: false) { _ in } }
        return id
    }

    /// A token that is valid for at least an hour: the stored one, or a new one from the server.
    public func authToken(completion: @escaping (InstallationsAuthTokenResult?, (any Error)?) -> Void) {
        authTokenForcingRefresh(false, completion: completion)
    }

    /// A token that is valid for at least an hour: the stored one, or a new one from the server.
    ///
    /// - Throws: `NSError` in `InstallationsErrorDomain`: `serverUnreachable` without an answer and during a backoff,
    ///   `unknown` when the server refuses.
    @discardableResult
    public func authToken() async throws -> InstallationsAuthTokenResult {
        try await authTokenForcingRefresh(false)
    }

    /// A token as from `authToken()`; with true, always a new one from the server.
    public func authTokenForcingRefresh(
        _ forceRefresh: Bool, completion: @escaping (InstallationsAuthTokenResult?, (any Error)?) -> Void
    ) {
        let callback = Callback<Result<InstallationsAuthTokenResult, any Error>>(completion: completion)
        tokenRequests.get(forcingRefresh: forceRefresh) { [app] outcome in
            callback.call(with: outcome.map(InstallationsAuthTokenResult.init), on: app.serialCallbackQueue)
        }
    }

    /// A token as from `authToken()`; with true, always a new one from the server.
    ///
    /// - Throws: The same errors as the async `authToken()`.
    @discardableResult
    public func authTokenForcingRefresh(_ forceRefresh: Bool) async throws -> InstallationsAuthTokenResult {
        try await withCheckedThrowingContinuation { continuation in
            tokenRequests.get(forcingRefresh: forceRefresh) {
                continuation.resume(with: $0.map(InstallationsAuthTokenResult.init))
            }
        }
    }

    /// How often this process has made, replaced or deleted the id. Returns immediately.
    package var changeCount: Int { changes.count }

    /// The id, for code that may block its thread; made at the first call.
    package func blockingInstallationID() throws -> String { try client.installationID() }

    /// Deletes the identity, on the server too; the next call makes a new one. When the server cannot be reached or
    /// refuses, the identity stays, and `completion` gets the error.
    public func delete(completion: @escaping ((any Error)?) -> Void) {
        let callback = Callback<(any Error)?>(completion)
        tokenRequests.detachPendingRequests()
        queue.async { [client, app] in
            callback.call(with: Self.error { try client.delete() }, on: app.serialCallbackQueue)
        }
    }

    /// Deletes the identity, on the server too; the next call makes a new one.
    ///
    /// - Throws: `NSError` in `InstallationsErrorDomain` when the server cannot be reached or refuses; the identity
    ///   stays then.
    public func delete() async throws {
        tokenRequests.detachPendingRequests()
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [client] in continuation.resume(with: Result { try client.delete() }) }
        }
    }

    private static func error(_ body: () throws -> Void) -> (any Error)? {
        do {
            try body()
            return nil
        } catch {
            return error
        }
    }
}

/// A token and the time when it expires.
public final class InstallationsAuthTokenResult: NSObject, Sendable {
    /// The token.
    public let authToken: String
    /// When the token expires.
    public let expirationDate: Date

    init(_ token: InstallationToken) {
        authToken = token.token
        expirationDate = Date(timeIntervalSince1970: Double(token.expires))
    }
}

extension Installations: TokenSource {
    package func identity(
        renewing: Bool, deadline: Deadline, cancellation: Cancellation?
    ) throws(ClientError) -> InstallationIdentity {
        let answer = Lock<AuthTokenRequests.Outcome?>(nil)
        let hasAnswer = DispatchSemaphore(value: 0)
        tokenRequests.get(forcingRefresh: renewing) { outcome in
            answer.withLock { $0 = outcome }
            hasAnswer.signal()
        }
        app.environment.clock.wait(for: hasAnswer, seconds: deadline.remainingSeconds, cancellation: cancellation)
        guard let outcome = answer.withLock({ $0 }) else {
            throw cancellation?.isCancelled == true ? .cancelled : .noTokenInTime
        }
        do {
            // The token first, because a registration may change the id.
            let token = try outcome.get().token
            return InstallationIdentity(id: try client.installationID(), token: token)
        } catch {
            throw .noToken(error)
        }
    }
}

/// The key of the app's name in the notification `NSNotification.Name.InstallationIDDidChange`. Its value
/// is the notification's own name, as in the original.
public let InstallationIDDidChangeAppNameKey: String = "FIRInstallationIDDidChangeNotification"

extension NSNotification.Name {
    /// Posted on the app's callback queue when this process made, replaced or deleted the app's installation id;
    /// `userInfo` has the app's name under ``InstallationIDDidChangeAppNameKey``.
    public static let InstallationIDDidChange = NSNotification.Name("FIRInstallationIDDidChangeNotification")
}

enum InstallationIDNotification {
    static func post(_ app: FirebaseApp) {
        app.serialCallbackQueue.async {
            NotificationCenter.default.post(
                name: .InstallationIDDidChange, object: nil, userInfo: [InstallationIDDidChangeAppNameKey: app.name])
        }
    }
}

/// How often an app's installation id changed in this process. Use it from any thread.
final class InstallationChangeCounter: Sendable {
    private let changes = Lock(0)

    var count: Int { changes.withLock { $0 } }

    func increment() { changes.withLock { $0 += 1 } }
}

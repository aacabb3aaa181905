import Dispatch
import HearthApp
import HearthModelSource
import Synchronization

/// One app's models: who waits for which, and one transfer at a time for each. All generations of the API stand on it.
///
/// Use it from any thread; what blocks is said to.
final class DeliveryCore: Sendable {
    let app: FirebaseApp
    private let currentSettings = Mutex(DeliverySettings())

    private init(app: FirebaseApp) { self.app = app }

    /// The same object for the same app, until the app is deleted.
    static func core(of app: FirebaseApp) -> DeliveryCore {
        instances.withLock { instances in
            if let known = instances[ObjectIdentifier(app)] { return known }
            let made = DeliveryCore(app: app)
            instances[ObjectIdentifier(app)] = made
            return made
        }
    }

    // Entries hold their app, so that its identifier cannot come to mean another object.
    private static let instances = Mutex<[ObjectIdentifier: DeliveryCore]>([:])

    /// Taken at the start of each transfer.
    var settings: DeliverySettings {
        get { currentSettings.withLock { $0 } }
        set { currentSettings.withLock { $0 = newValue } }
    }

    /// The copy on this device, verified; nil when there is none or it is damaged. Reads the file when it was not verified
    /// since it last changed: blocks.
    func installed(_ name: String) throws(DownloadFailure) -> CustomModel? { nil }

    /// Whether there is a record and a file of the right length. Quick; for calls on the main thread.
    func isInstalled(_ name: String) -> Bool { false }

    /// Asks the server and fetches what is newer: starts a transfer, or joins the one under way.
    ///
    /// - Parameters:
    ///   - progress: completed and total bytes, on the transfer's thread.
    ///   - completion: called once, on a thread of its own choosing.
    /// - Returns: this caller's part in the transfer. Forgetting it does not cancel.
    @discardableResult
    func fetch(
        _ name: String, conditions: ModelDownloadConditions = ModelDownloadConditions(),
        progress: (@Sendable (_ completed: UInt64, _ total: UInt64) -> Void)? = nil,
        completion: @escaping @Sendable (Result<CustomModel, DownloadFailure>) -> Void = { _ in }
    ) -> DownloadTicket {
        DownloadTicket {}
    }

    /// Blocks.
    func list() throws(DownloadFailure) -> [CustomModel] { [] }

    /// False when there is no such model. Cancels a transfer of it. Blocks.
    func delete(_ name: String) throws(DownloadFailure) -> Bool { false }

    /// The copy at `path` does not load here: the one before it is installed again, and this one is not fetched again. Blocks.
    func putAside(path: String, of name: String, reason: String) {}

    /// Blocks while it looks at the store.
    func state(of name: String) -> ModelState { .absent }

    /// Calls `change` with the state now, and then at each change, on the app's callback queue, until the observation is
    /// cancelled or released.
    func observe(_ name: String, _ change: @escaping @Sendable (ModelState) -> Void) -> DownloadTicket { DownloadTicket {} }
}

/// A caller's part in something that goes on.
final class DownloadTicket: Sendable {
    private let action: Mutex<(@Sendable () -> Void)?>

    init(_ cancel: @escaping @Sendable () -> Void) { action = Mutex(cancel) }

    /// This caller is not called back with a result any more, but with `cancelled`; the transfer goes on while others wait.
    func cancel() { action.withLock { $0.take() }?() }
}

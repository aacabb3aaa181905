import Synchronization

/// What handlers need to know of a server that was not there yet when they were made.
final class ServerState: Sendable {
    private let url = Mutex("")
    private let stopping = Atomic(false)

    /// The address listened on; empty until the port is known.
    var localURL: String {
        get { url.withLock { $0 } }
        set { url.withLock { $0 = newValue } }
    }

    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    func beginStopping() { stopping.store(true, ordering: .relaxed) }
}

import HearthCalls
import HearthConcurrency
import HearthWire
import Synchronization

/// State that handlers need and that does not exist yet when they are made.
final class ServerState: Sendable {
    private let url = Lock("")
    private let adminURL = Lock<String?>(nil)
    private let reader = Lock<ServerStatusReader?>(nil)
    private let stopping = Atomic(false)
    private let restored = Atomic(false)

    /// The address that the server listens on; empty until the port is known.
    var localURL: String {
        get { url.withLock { $0 } }
        set { url.withLock { $0 = newValue } }
    }

    /// The address for people and tools; nil if they use the other one.
    var localAdminURL: String? {
        get { adminURL.withLock { $0 } }
        set { adminURL.withLock { $0 = newValue } }
    }

    var statusReader: ServerStatusReader? {
        get { reader.withLock { $0 } }
        set { reader.withLock { $0 = newValue } }
    }

    var status: ServerBodies.Status {
        statusReader?.status ?? ServerBodies.Status(version: HearthVersion.text, startTime: "", console: false)
    }

    /// False after the first call, until `restoreLater`.
    func beginRestoring() -> Bool { !restored.exchange(true, ordering: .relaxed) }
    func restoreLater() { restored.store(false, ordering: .relaxed) }

    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    func beginStopping() { stopping.store(true, ordering: .relaxed) }
}

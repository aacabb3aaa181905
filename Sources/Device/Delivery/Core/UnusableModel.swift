import Dispatch
import HearthApp
import HearthModelSource

/// A copy that does not load on this device.
struct UnusableModel: Sendable {
    let name: String
    let path: String
    let reason: String

    /// Installs the version before it again, and tells the app: through the model's state, and with the notification of
    /// failure. Does nothing when another copy is installed by now. Blocks.
    func putAside(_ core: DeliveryCore) {
        guard let failure = core.putAside(path: path, of: name, reason: reason) else { return }
        let event = ModelDownloadEvent(CustomRemoteModel(name: name))
        core.app.serialCallbackQueue.async { event.post(.failure(failure)) }
    }
}

import Dispatch

/// The queue of an app's callbacks. They run one after the other on the queue that the app chose, even if that one is
/// concurrent. So a completion comes after all progress, and states come in order.
struct CallbackQueue: Sendable {
    let chosen: DispatchQueue
    let serial: DispatchQueue

    init(_ chosen: DispatchQueue) {
        self.chosen = chosen
        serial = DispatchQueue(label: "app.hearth.callbacks", target: chosen)
    }
}

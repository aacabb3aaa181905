import Dispatch

/// Where an app's callbacks run: one after the other on the queue that the app chose, even when that one is concurrent. So
/// no progress comes after its completion, and states come in order.
struct CallbackQueue: Sendable {
    let chosen: DispatchQueue
    let serial: DispatchQueue

    init(_ chosen: DispatchQueue) {
        self.chosen = chosen
        serial = DispatchQueue(label: "app.hearth.callbacks", target: chosen)
    }
}

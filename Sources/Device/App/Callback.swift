package import Dispatch

/// A completion or progress closure on its way to the callback queue.
///
/// The public signatures take closures that are not `@Sendable`, because existing apps pass such closures and the
/// original's do so too.
///
/// `@unchecked Sendable`: the closure is never called where it is carried, only on the callback queue, which the app
/// chose for it, as the original promises; the carrier itself only hands it on.
package struct Callback<Value: Sendable>: @unchecked Sendable {
    private let closure: (Value) -> Void

    package init(_ closure: @escaping (Value) -> Void) { self.closure = closure }

    package func call(with value: Value, on queue: DispatchQueue) {
        queue.async { closure(value) }
    }
}

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

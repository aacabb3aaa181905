package import Dispatch

/// An app's closure on its way to the queue on which the app wants to be called.
///
/// The public interfaces take closures that are not `@Sendable`, because existing apps pass such closures and Google's
/// interfaces take them.
///
/// `@unchecked Sendable`: nothing calls the closure where it is carried. It runs only on the queue that the app chose
/// for it, or while the thread that brought it waits; the carrier itself only passes it on.
package struct Callback<Value: Sendable>: @unchecked Sendable {
    private let closure: (Value) -> Void

    package init(_ closure: @escaping (Value) -> Void) { self.closure = closure }

    /// Calls the closure later, on `queue`.
    package func call(with value: Value, on queue: DispatchQueue) {
        queue.async { closure(value) }
    }

    /// Calls the closure on this thread: on the app's queue, or while the thread that brought the closure waits.
    package func call(with value: Value) { closure(value) }
}

extension Callback {
    /// A completion of the form that Google's interfaces have: a value or an error.
    package init<Success, Failure: Error>(
        completion: @escaping (Success?, (any Error)?) -> Void
    ) where Value == Result<Success, Failure> {
        self.init { result in
            switch result {
            case .success(let value): completion(value, nil)
            case .failure(let error): completion(nil, error)
            }
        }
    }
}

package import Dispatch
package import Foundation

/// An app's completion, which gets a value or an error, on its way to the callback queue.
///
/// `@unchecked Sendable`: the closure is not called where it is carried, only on the queue that the app chose for it.
/// Its type is not `@Sendable` because existing apps pass closures that are not.
package struct Completion<Value: Sendable>: @unchecked Sendable {
    private let closure: (Value?, (any Error)?) -> Void

    package init(_ closure: @escaping (Value?, (any Error)?) -> Void) {
        self.closure = closure
    }

    package func call(with result: Result<Value, NSError>, on queue: DispatchQueue) {
        queue.async {
            switch result {
            case .success(let value): closure(value, nil)
            case .failure(let error): closure(nil, error)
            }
        }
    }
}

import Synchronization

/// The objects that an app keeps one of, such as its `Installations`. They hold the app and it holds them, until it is
/// deleted.
final class AppServices: Sendable {
    /// nil after ``removeAll()``.
    private let known = Mutex<[ObjectIdentifier: any AnyObject & Sendable]?>([:])

    /// The object of this type: the known one, else what `make` gives. `make` runs outside of the lock, so that it may ask
    /// for other services; of two threads that ask at once, one's is dropped.
    func service<Service: AnyObject & Sendable>(_ type: Service.Type, make: () -> Service) -> Service {
        let key = ObjectIdentifier(type)
        if let found = known.withLock({ $0?[key] }) as? Service { return found }
        let made = make()
        return known.withLock { known in
            if let earlier = known?[key] as? Service { return earlier }
            known?[key] = made
            return made
        }
    }

    /// Keeps none from now on: who still asks gets an object of their own.
    func removeAll() { known.withLock { $0 = nil } }
}

import HearthConcurrency

/// The objects that an app keeps one of, such as its `Installations`. They hold the app and it holds them, until it is
/// deleted.
final class AppServices: Sendable {
    private struct Entry {
        let object: any AnyObject & Sendable
        let close: @Sendable () -> Void
    }

    /// nil after ``removeAll()``.
    private let known = Lock<[ObjectIdentifier: Entry]?>([:])

    /// The object of this type: the known one, else what `make` gives. `make` runs outside of the lock, so that it may ask
    /// for other services; of two threads that ask at once, one's is dropped.
    ///
    /// - Parameter close: Called outside of the lock, once, with an object whose app is deleted; at once when it is already.
    func service<Service: AnyObject & Sendable>(
        _ type: Service.Type, make: () -> Service, close: @escaping @Sendable (Service) -> Void
    ) -> Service {
        let key = ObjectIdentifier(type)
        if let found = known.withLock({ $0?[key]?.object }) as? Service { return found }
        let made = make()
        let (service, isKept) = known.withLock { known -> (Service, Bool) in
            if let earlier = known?[key]?.object as? Service { return (earlier, true) }
            known?[key] = Entry(object: made) { close(made) }
            return (made, known != nil)
        }
        if !isKept { close(service) }
        return service
    }

    /// Closes all, and keeps none from now on: who still asks gets a closed object of their own.
    func removeAll() {
        let removed = known.withLock { known in
            defer { known = nil }
            return known
        }
        for entry in (removed ?? [:]).values { entry.close() }
    }
}

import HearthConcurrency

/// The objects of which an app has one each, such as its `Installations`. They and the app keep each other alive until
/// the app is deleted.
final class AppServices: Sendable {
    private struct Entry {
        let object: any AnyObject & Sendable
        let close: @Sendable () -> Void
    }

    /// nil after ``removeAll()``.
    private let known = Lock<[ObjectIdentifier: Entry]?>([:])

    /// The app's object of this type. `make` makes it at the first call, outside of the lock, so that it can get other
    /// services. If two threads call this at once, one of the two new objects is dropped.
    ///
    /// - Parameter close: Called once, outside of the lock, with an object whose app is deleted; immediately if the app
    ///   is deleted already.
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

    /// Closes all objects. From now on, each call gets its own, closed object.
    func removeAll() {
        let removed = known.withLock { known in
            defer { known = nil }
            return known
        }
        for entry in (removed ?? [:]).values { entry.close() }
    }
}

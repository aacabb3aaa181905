import Foundation
import HearthApp
import Synchronization

/// One instance per app object, made when it is first asked for and dropped when the app is deleted. Use it from any thread.
final class AppInstances<Instance: AnyObject & Sendable>: Sendable {
    private struct Entry {
        // Held so that its identifier cannot come to mean another object.
        let app: FirebaseApp
        let instance: Instance
    }

    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])
    private let make: @Sendable (FirebaseApp) -> Instance
    private let close: @Sendable (Instance) -> Void

    /// - Parameter close: Called with an instance whose app is deleted, on the thread that noticed it.
    init(
        make: @escaping @Sendable (FirebaseApp) -> Instance, close: @escaping @Sendable (Instance) -> Void = { _ in }
    ) {
        self.make = make
        self.close = close
        _ = NotificationCenter.default.addObserver(
            forName: Notification.Name("FIRAppDeleteNotification"), object: nil, queue: nil
        ) { [weak self] _ in self?.dropDeleted() }
    }

    /// The same object for the same app. Of an app that is deleted already: a closed one.
    func instance(of app: FirebaseApp) -> Instance {
        let instance = entries.withLock { entries in
            if let known = entries[ObjectIdentifier(app)] { return known.instance }
            let made = make(app)
            entries[ObjectIdentifier(app)] = Entry(app: app, instance: made)
            return made
        }
        // Nobody tells about an app that was deleted before its instance was made.
        if Self.isDeleted(app) { dropDeleted() }
        return instance
    }

    private func dropDeleted() {
        let dropped = entries.withLock { entries in
            let deleted = entries.filter { Self.isDeleted($0.value.app) }
            for key in deleted.keys { entries[key] = nil }
            return deleted.values.map(\.instance)
        }
        for instance in dropped { close(instance) }
    }

    private static func isDeleted(_ app: FirebaseApp) -> Bool { FirebaseApp.registered(app.name) !== app }
}

import HearthApp
import Synchronization

/// Which remote models lie where, of those that this process gave to its apps: an app that opens the file itself still uses the
/// model. Use it from any thread.
final class GivenModels: Sendable {
    struct Given: Sendable {
        let name: String
        fileprivate(set) weak var app: FirebaseApp?
    }

    static let shared = GivenModels()
    /// More than any app has open.
    private static let limit = 1000

    private let models = Mutex<[String: Given]>([:])

    /// Of two models with the same bytes, which share their file, the last one counts.
    func note(_ model: CustomModel, of app: FirebaseApp) {
        models.withLock { models in
            if let known = models[model.path], known.name == model.name, known.app === app { return }
            if models.count >= Self.limit { models = [:] }
            models[model.path] = Given(name: model.name, app: app)
        }
    }

    func model(at path: String) -> Given? { models.withLock { $0[path] } }
}

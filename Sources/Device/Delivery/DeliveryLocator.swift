import Foundation
import HearthApp
import HearthConcurrency
import HearthEvents
import HearthModelSource

/// Finds the default app's models for labelers, detectors and interpreters.
struct DeliveryLocator: ModelLocator {
    func localPath(ofRemoteModel name: String) -> String? {
        guard let app = FirebaseApp.registered() else { return nil }
        let core = DeliveryCore.core(of: app)
        let finding = try? core.find(name)
        if case .installed(let model) = finding {
            core.recordUse(of: model)
            return model.path
        }
        // While a damaged copy is downloaded again, the app uses the version before it.
        ModelManager.modelManager(app: app).downloadForUse(name)
        guard let before = finding?.model else { return nil }
        VendedModels.shared.add(before, of: app)
        return before.path
    }

    func observer(ofModelAt path: String) -> (any ModelObserver)? {
        guard let vended = VendedModels.shared.model(at: path), let app = vended.app else { return nil }
        return WatchedVersion(name: vended.name, hash: vended.hash, core: DeliveryCore.core(of: app))
    }

    func reject(path: String, ofRemoteModel name: String, reason: String) {
        guard let app = FirebaseApp.registered() else { return }
        DeliveryCore.core(of: app).reject(path: path, of: name, reason: reason)
    }

    func absence(ofRemoteModel name: String) -> ModelAbsence {
        FirebaseApp.registered().map { ModelManager.modelManager(app: $0).absence(of: name) } ?? .notConfigured
    }
}

/// The class that ``ModelLocatorRegistry`` looks up by its name.
final class DeliveryLocatorProvider: NSObject, ModelLocatorProvider {
    static func makeLocator() -> any ModelLocator { DeliveryLocator() }
}

/// The paths of the remote models that this process returned to its apps: an app that opens the file itself still uses
/// the model. Use it from any thread.
final class VendedModels: Sendable {
    struct Entry: Sendable {
        let name: String
        let hash: String
        fileprivate(set) weak var app: FirebaseApp?
    }

    static let shared = VendedModels()
    /// More than any app has open at once.
    private static let limit = 1000

    private let models = Lock<[String: Entry]>([:])

    /// Two models with the same bytes share their file: the last one counts.
    func add(_ model: CustomModel, of app: FirebaseApp) {
        models.withLock { models in
            if let known = models[model.path], known.name == model.name, known.app === app { return }
            if models.count >= Self.limit { models = [:] }
            models[model.path] = Entry(name: model.name, hash: model.hash, app: app)
        }
    }

    func model(at path: String) -> Entry? { models.withLock { $0[path] } }
}

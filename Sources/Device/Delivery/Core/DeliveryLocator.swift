import Foundation
import HearthApp
import HearthModelSource

/// Finds the default app's models for labelers, detectors and interpreters.
struct DeliveryLocator: ModelLocator {
    func localPath(ofRemoteModel name: String) -> String? {
        guard let app = FirebaseApp.registered() else { return nil }
        let finding = try? DeliveryCore.core(of: app).find(name)
        if case .installed(let model) = finding { return model.path }
        // Of a damaged one, the version before it is used until it has been fetched again.
        ModelManager.modelManager(app: app).downloadForUse(name)
        return finding?.model?.path
    }

    func putAside(path: String, ofRemoteModel name: String, reason: String) {
        guard let app = FirebaseApp.registered() else { return }
        UnusableModel(name: name, path: path, reason: reason).putAside(DeliveryCore.core(of: app))
    }

    func absence(ofRemoteModel name: String) -> ModelAbsence {
        FirebaseApp.registered().map { ModelManager.modelManager(app: $0).absence(of: name) } ?? .notConfigured
    }
}

/// What ``ModelLocatorRegistry`` looks for by name.
final class DeliveryLocatorProvider: NSObject, ModelLocatorProvider {
    static func makeLocator() -> any ModelLocator { DeliveryLocator() }
}

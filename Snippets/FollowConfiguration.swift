import Foundation
import Hearth
import HearthVision

FirebaseApp.configure()
let config = RemoteConfig.remoteConfig()
config.setDefaults(["flower_model": "flowers" as NSObject])

/// With the model that the configuration names, as soon as it is on this device.
@MainActor func makeLabeler() async throws -> ImageLabeler {
    let model = try await ModelDownloader.modelDownloader()
        .getModel(name: config["flower_model"].stringValue, downloadType: .localModelUpdateInBackground)
    return ImageLabeler.imageLabeler(options: CustomImageLabelerOptions(localModel: LocalModel(path: model.path)))
}

/// What the app labels images with.
var labeler: ImageLabeler?

@MainActor func followConfiguration() async throws {
    // Without a connection: what was activated before, else the default.
    _ = try? await config.fetchAndActivate()
    labeler = try await makeLabeler()
    while !Task.isCancelled {
        do {
            for try await update in config.configUpdates where update.updatedKeys.contains("flower_model") {
                _ = try await config.activate()
                // Until the other model is here, and if it cannot be had, the present one works on.
                if let next = try? await makeLabeler() { labeler = next }
            }
            return  // The app was deleted, or this task cancelled.
        } catch {
            // The server was away for minutes, which ends the sequence. The app goes on with what it has.
            try await Task.sleep(for: .seconds(300))
        }
    }
}

try await followConfiguration()

import Foundation
import Hearth
import HearthVision

FirebaseApp.configure()
let config = RemoteConfig.remoteConfig()
config.setDefaults(["flower_model": "flowers" as NSObject])

/// Makes a labeler with the model that Remote Config names. Waits until the model is on this device.
@MainActor func makeLabeler() async throws -> ImageLabeler {
    let model = try await ModelDownloader.modelDownloader()
        .getModel(name: config["flower_model"].stringValue, downloadType: .localModelUpdateInBackground)
    return ImageLabeler.imageLabeler(options: CustomImageLabelerOptions(localModel: LocalModel(path: model.path)))
}

/// The labeler of the app's images.
var labeler: ImageLabeler?

@MainActor func followConfiguration() async throws {
    // Without a connection, this uses the values that were activated before, otherwise the defaults.
    _ = try? await config.fetchAndActivate()
    labeler = try await makeLabeler()
    while !Task.isCancelled {
        do {
            for try await update in config.configUpdates where update.updatedKeys.contains("flower_model") {
                _ = try await config.activate()
                // The present model works until the next one is here. If the next download fails, the present model stays.
                if let next = try? await makeLabeler() { labeler = next }
            }
            return  // The sequence ended: `FirebaseApp` was deleted, or this task was cancelled.
        } catch {
            // The server was unreachable for minutes, which ends the sequence. The app continues with its values.
            try await Task.sleep(for: .seconds(300))
        }
    }
}

try await followConfiguration()

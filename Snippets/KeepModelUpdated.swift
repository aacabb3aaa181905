import Foundation
import Hearth
import HearthVision

FirebaseApp.configure()
let downloader = ModelDownloader.modelDownloader()
downloader.settings.maxBytesPerSecond = 2_000_000
// Keep this object: cancelling or releasing it ends the updates.
let updates = downloader.keepUpdated(name: "flowers", every: 24 * 3600)
defer { updates.cancel() }

// Enables the feature when the model is there, and again with each newer one. Ends when the `FirebaseApp` is deleted.
for await state in downloader.states(ofModel: "flowers") {
    switch state {
    case .absent, .downloading: print("not yet")
    case .ready(let model), .updating(let model, _): print("works with", model.hash)
    case .failed(let failure, let installed):
        print(installed == nil ? "does not work:" : "works with what is here:", failure)
    }
}

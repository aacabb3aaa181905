import Foundation
import Hearth
import HearthVision

// Reads GoogleService-Info.plist, next to the program or at the path in HEARTH_APP_CONFIG.
FirebaseApp.configure()

do {
    // The first call downloads the model. Later calls return the installed one immediately, even without a connection, and
    // update it in the background.
    let model = try await ModelDownloader.modelDownloader()
        .getModel(name: "digits", downloadType: .localModelUpdateInBackground)

    let options = CustomImageLabelerOptions(localModel: LocalModel(path: model.path))
    options.confidenceThreshold = 0.5
    let labeler = ImageLabeler.imageLabeler(options: options)

    for photo in CommandLine.arguments.dropFirst() {
        for label in try await labeler.process(VisionImage(contentsOfFile: photo)) {
            print(label.text, label.confidence)
        }
    }
} catch {
    print("error:", error.localizedDescription)
    exit(1)
}

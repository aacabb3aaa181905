import Foundation
import Hearth
import HearthVision

// Reads GoogleService-Info.plist: beside the program, or where HEARTH_APP_CONFIG says.
FirebaseApp.configure()

// Downloads the model the first time. Later returns the installed one at once, offline too, and updates it in the background.
let model = try await ModelDownloader.modelDownloader()
    .getModel(name: "digits", downloadType: .localModelUpdateInBackground)

let options = CustomImageLabelerOptions(localModel: LocalModel(path: model.path))
options.confidenceThreshold = 0.5
let labeler = ImageLabeler.imageLabeler(options: options)

for label in try await labeler.process(VisionImage(contentsOfFile: CommandLine.arguments[1])) {
    print(label.text, label.confidence)
}

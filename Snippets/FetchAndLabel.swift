import Foundation
import Hearth
import HearthVision

// Reads GoogleService-Info.plist: beside the program, or where HEARTH_APP_CONFIG says.
FirebaseApp.configure()

// Returns the installed model at once, and updates it in the background. Works offline once installed.
let model = try await ModelDownloader.modelDownloader()
    .getModel(name: "flowers", downloadType: .localModelUpdateInBackground)

let options = CustomImageLabelerOptions(localModel: LocalModel(path: model.path))
options.confidenceThreshold = 0.5
let labeler = ImageLabeler.imageLabeler(options: options)

for label in try await labeler.process(VisionImage(contentsOfFile: CommandLine.arguments[1])) {
    print(label.text, label.confidence)
}

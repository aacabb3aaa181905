import Foundation
import HearthVision

let model = LocalModel(path: CommandLine.arguments[1])
let labeler = ImageLabeler.imageLabeler(options: CustomImageLabelerOptions(localModel: model))

for label in try labeler.results(in: VisionImage(contentsOfFile: CommandLine.arguments[2])) {
    print(label.text, label.confidence)
}

import Foundation
import HearthVision

let model = LocalModel(path: CommandLine.arguments[1])
let labeler = ImageLabeler.imageLabeler(options: CustomImageLabelerOptions(localModel: model))

// While one frame is labelled, only the newest one waits; older ones are dropped.
let frames = LatestFrame { (image: VisionImage) in
    try labeler.results(in: image)
} deliver: { _, labels in
    print((try? labels.get().first?.text) ?? "nothing")
}

// A camera's callback would offer VisionImage(buffer: sample); here each line of the input names an image.
while let path = readLine() {
    frames.offer(VisionImage(contentsOfFile: path))
}

// The last frame always gets a result, if the program waits for it.
await frames.finish()

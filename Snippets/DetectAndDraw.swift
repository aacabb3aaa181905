import Foundation
import HearthDrawing
import HearthVision

let (model, photo, output) = (CommandLine.arguments[1], CommandLine.arguments[2], CommandLine.arguments[3])

var options = BoxDetectorOptions()
options.scoreThreshold = 0.5
let detector = try BoxDetector(model: LocalModel(path: model), options: options)
let boxes = try detector.boxes(in: VisionImage(contentsOfFile: photo))

// Boxes are in pixels of the upright photo, no matter at what size it was decoded for the model.
let image = try ImageDecoder.decode(contentsOfFile: photo).upright()
let annotations = boxes.map {
    BoxAnnotation(frame: $0.frame, text: $0.text, confidence: $0.confidence, colorIndex: $0.index)
}
try ImageEncoder.write(AnnotationRenderer().draw(annotations, on: image).pixels, toFile: output)

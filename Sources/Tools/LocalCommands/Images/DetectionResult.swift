package import Foundation
import HearthDrawing
import HearthImaging
import HearthModelSource
import HearthVision
import HearthWire

/// The objects in one image, in the model's order.
package struct DetectionResult: ImageAnalysis {
    package struct Object: Sendable {
        package let text: String
        package let index: Int
        package let confidence: Float
        /// In pixels of the upright original image.
        package let frame: CGRect

        /// The name of the object.
        package var name: String { text.isEmpty ? "#\(index)" : text }
    }

    /// Of the upright original image, in pixels.
    package let width: Int
    package let height: Int
    package let objects: [Object]
    let form: ConfidenceForm

    init(width: Int, height: Int, objects: [Object], form: ConfidenceForm = .percent) {
        self.width = width
        self.height = height
        self.objects = objects
        self.form = form
    }

    var lines: [String] {
        if objects.isEmpty { return ["  no object"] }
        return objects.map { object in
            let frame = object.frame
            return """
                  \(form.text(object.confidence))  \(object.name)  at \(Self.whole(frame.minX)),\(Self.whole(frame.minY)), \
                \(Self.whole(frame.width)) x \(Self.whole(frame.height))
                """
        }
    }

    func write(to json: inout JSONLine) {
        json.member("width", width)
        json.member("height", height)
        json.member("objects", objects) { object, json in
            json.member("text", object.text)
            json.member("index", object.index)
            json.member("confidence", object.confidence)
            json.member("box") { json in
                json.member("left", Float(object.frame.minX))
                json.member("top", Float(object.frame.minY))
                json.member("right", Float(object.frame.maxX))
                json.member("bottom", Float(object.frame.maxY))
            }
        }
        form.write(to: &json)
    }

    /// Frames are inside images, which are far smaller than the limit. It keeps the conversion in range for any value.
    private static func whole(_ value: CGFloat) -> Int {
        Int(min(max(value.isNaN ? 0 : value, -1e9), 1e9).rounded())
    }
}

package import Foundation

/// The objects that were found in one picture, in the model's order.
package struct PictureObjects: PictureAnswer {
    package struct Object: Sendable {
        package let text: String
        package let index: Int
        package let confidence: Float
        /// In pixels of the upright original picture.
        package let frame: CGRect

        /// What to call it.
        package var name: String { text.isEmpty ? "#\(index)" : text }
    }

    /// Of the upright original picture, in pixels.
    package let width: Int
    package let height: Int
    package let objects: [Object]

    init(width: Int, height: Int, objects: [Object]) {
        self.width = width
        self.height = height
        self.objects = objects
    }

    var lines: [String] {
        if objects.isEmpty { return ["  no object"] }
        return objects.map { object in
            let frame = object.frame
            return """
                  \(Percent.text(object.confidence))  \(object.name)  at \(Self.whole(frame.minX)),\(Self.whole(frame.minY)), \
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
    }

    /// Frames lie inside pictures, which are far smaller than the limit; it keeps the conversion in range whatever comes.
    private static func whole(_ value: CGFloat) -> Int {
        Int(min(max(value.isNaN ? 0 : value, -1e9), 1e9).rounded())
    }
}

package import Foundation
import HearthDrawing
import HearthImaging

/// Draws what changed between two versions of a model on a copy of an image.
package struct RehearsalDrawing: Sendable {
    /// A line in the corner of the image.
    package struct Line: Sendable {
        let text: String
        let confidence: Float?

        package init(_ text: String, confidence: Float? = nil) {
            self.text = text
            self.confidence = confidence
        }
    }

    /// A box that one of the versions has.
    package struct Box: Sendable {
        let frame: CGRect
        let text: String
        let confidence: Float
        let isFound: Bool

        package init(frame: CGRect, text: String, confidence: Float, isFound: Bool) {
            self.frame = frame
            self.text = text
            self.confidence = confidence
            self.isFound = isFound
        }
    }

    private let lines: [Line]
    private let boxes: [Box]

    /// Lost boxes have the palette's first colour, found ones its third.
    private static let colors = (lost: 0, found: 2)

    package init(lines: [Line], boxes: [Box]) {
        self.lines = lines
        self.boxes = boxes
    }

    /// Writes a PNG file.
    /// - Parameter image: the bytes of an image file.
    /// - Throws: if the image cannot be decoded, or the file cannot be written.
    package func write(on image: [UInt8], to file: String) throws {
        let pixels = try ImageDecoder.decode(Data(image)).upright()
        let annotations = boxes.sorted { $0.confidence > $1.confidence }.map { box in
            BoxAnnotation(
                frame: box.frame, text: "\(box.isFound ? "found" : "lost"): \(box.text)", confidence: box.confidence,
                colorIndex: box.isFound ? Self.colors.found : Self.colors.lost)
        }
        let caption = lines.map { LabelAnnotation(text: $0.text, confidence: $0.confidence) }
        let drawn = try AnnotationRenderer().draw(annotations, caption: caption, on: pixels)
        try ImageEncoder.write(drawn.pixels, toFile: file)
    }
}

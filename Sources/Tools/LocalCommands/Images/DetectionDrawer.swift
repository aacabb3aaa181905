import Foundation
import Glibc
import HearthDrawing
import HearthImaging
import Synchronization

/// Draws the objects of images on copies of them. Any thread may use it.
final class DetectionDrawer: Sendable {
    private let target: DrawingTarget
    private let readingOptions: ImageReadingOptions
    private let hasWarnedAboutFont = Atomic(false)

    /// An upright copy, one with the drawing, and the file for it.
    private static let laterBytesPerPixel = 9

    init(target: DrawingTarget, readingOptions: ImageReadingOptions) {
        self.target = target
        self.readingOptions = readingOptions
    }

    /// The file for an image's drawing.
    /// - Throws: if the drawing cannot be written there. Call it before the work.
    func file(for image: String) throws -> String { try target.file(for: image) }

    func draw(_ result: DetectionResult, on image: String, into file: String) throws {
        let readingOptions = readingOptions.shared(laterBytesPerPixel: Self.laterBytesPerPixel)
        defer { readingOptions.giveBack() }
        let pixels = try ImageDecoder.decode(contentsOfFile: image, options: readingOptions.decoding).upright()
        // The most certain object first, so that it gets the best place.
        let boxes = result.objects.sorted { $0.confidence > $1.confidence }.map { object in
            // Scores that are no shares stand in the text, because the other objects may not show that they are none.
            let digits = result.form == .number ? result.form.digits(object.confidence) ?? "?" : nil
            return BoxAnnotation(
                frame: object.frame, text: digits.map { "\(object.name) \($0)" } ?? object.name,
                confidence: digits == nil ? object.confidence : nil, colorIndex: object.index)
        }
        let drawn = try AnnotationRenderer().draw(boxes, on: pixels)
        if drawn.isFontMissing, !hasWarnedAboutFont.exchange(true, ordering: .relaxed) {
            Output.note(
                "note: the boxes have no names, because there is no font; install fonts-dejavu-core or set HEARTH_FONT")
        }
        try ImageEncoder.write(drawn.pixels, toFile: file)
    }
}

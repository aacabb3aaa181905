import HearthDrawing
import HearthImaging
import Synchronization

/// Draws what was found in pictures onto copies of them. Any thread may use it.
final class ObjectPencil: Sendable {
    private let target: DrawingTarget
    private let look: PictureLook
    private let hasToldOfFont = Atomic(false)

    /// An upright copy, one with the drawing, and the file that it becomes.
    private static let laterBytesPerPixel = 9

    init(target: DrawingTarget, look: PictureLook) {
        self.target = target
        self.look = look
    }

    /// The file that a picture's drawing goes into.
    /// - Throws: when it cannot go there: ask before the work.
    func file(for picture: String) throws -> String { try target.file(for: picture) }

    func draw(_ objects: [PictureObjects.Object], on picture: String, into file: String) throws {
        let look = look.shared(laterBytesPerPixel: Self.laterBytesPerPixel)
        defer { look.giveBack() }
        let pixels = try ImageDecoder.decode(contentsOfFile: picture, options: look.decoding).upright()
        // The most certain first, so that it gets the best place.
        let boxes = objects.sorted { $0.confidence > $1.confidence }.map {
            BoxAnnotation(frame: $0.frame, text: $0.name, confidence: $0.confidence, colorIndex: $0.index)
        }
        let drawn = try AnnotationRenderer().draw(boxes, on: pixels)
        if drawn.lacksFont, !hasToldOfFont.exchange(true, ordering: .relaxed) {
            Output.note("note: no font was found, so boxes have no names; install fonts-dejavu-core or set HEARTH_FONT")
        }
        try ImageEncoder.write(drawn.pixels, toFile: file)
    }
}

import Foundation
public import HearthImaging

/// Draws boxes with labels, and labels of the whole image, onto images.
///
/// ```swift
/// let boxes = [BoxAnnotation(frame: CGRect(x: 40, y: 30, width: 200, height: 120), text: "cat", confidence: 0.87)]
/// let result = try AnnotationRenderer().draw(boxes, on: image)
/// try ImageEncoder.write(result.pixels, toFile: "cat-found.jpg")
/// ```
///
/// Several threads may use a value at the same time. Text is set from left to right, one character after the other, so
/// scripts with joined letters are barely legible. Characters that the font lacks appear as empty boxes.
public struct AnnotationRenderer: Sendable {
    /// How boxes and labels look.
    public var style: AnnotationStyle

    /// Creates a renderer with a style.
    public init(style: AnnotationStyle = AnnotationStyle()) {
        self.style = style
    }

    /// Draws onto a copy of `image`.
    ///
    /// - Parameters:
    ///   - boxes: The most important box first: it gets the best place for its plate, and is drawn above the others.
    ///     Plates do not overlap. A box without a free place nearby gets no plate, nor do boxes after the first 1,000.
    ///   - caption: Lines for a panel in the top left corner. Lines that do not fit into the image are left out.
    ///   - image: An upright image of any format, with the same coordinates as the boxes. An image that is not RGB is
    ///     converted first, which needs memory for another image.
    /// - Throws: `DrawingError` with code `.fontNotFound` or `.fontUnusable` when the font that the style or the
    ///   environment names cannot be used, and `.outOfMemory`.
    public func draw(
        _ boxes: [BoxAnnotation], caption: [LabelAnnotation] = [], on image: PixelImage
    ) throws(DrawingError) -> AnnotatedImage {
        let file = try FontFile.find(stylePath: style.fontPath)
        return try draw(boxes, caption: caption, on: image, font: file)
    }

    func draw(
        _ boxes: [BoxAnnotation], caption: [LabelAnnotation], on image: PixelImage, font file: FontFile?
    ) throws(DrawingError) -> AnnotatedImage {
        let scale = AnnotationScale(width: image.width, height: image.height, factor: style.scale)
        let hasText = !caption.isEmpty || boxes.contains { !$0.text.isEmpty || $0.confidence != nil }
        let font = try hasText ? open(file, textSize: scale.textSize) : nil

        let bounds = PixelArea(left: 0, top: 0, right: image.width, bottom: image.height)
        let confidences = boxes.compactMap(\.confidence) + caption.compactMap(\.confidence)
        var layout = AnnotationLayout(
            bounds: bounds, scale: scale, font: font, form: ConfidenceForm(for: confidences))
        layout.add(caption)
        let palette = style.palette.isEmpty ? RGBColor.colorBlindPalette : style.palette
        layout.add(boxes, lineWidth: scale.lineWidth, palette: palette)

        return AnnotatedImage(
            pixels: try Self.copy(image, painting: layout.draw), isFontMissing: hasText && file == nil)
    }

    private func open(_ file: FontFile?, textSize: Int?) throws(DrawingError) -> FontFace? {
        guard let file, let textSize else { return nil }
        return try FontFace(file, size: textSize)
    }

    private static func copy(
        _ image: PixelImage, painting paint: (Canvas) -> Void
    ) throws(DrawingError) -> PixelImage {
        let (width, height) = (image.width, image.height)
        do {
            let image = try image.rgb()
            return try PixelImage(
                width: width, height: height,
                painting: { target in
                    image.withUnsafeBytes { target.copyMemory(from: $0) }
                    guard let bytes = target.bindMemory(to: UInt8.self).baseAddress else { return }
                    paint(Canvas(bytes, width: width, height: height))
                })
        } catch {
            throw DrawingError(.outOfMemory, error.message, cause: error)
        }
    }
}

/// An image with boxes and labels.
public struct AnnotatedImage: Sendable {
    /// The image as RGB.
    public let pixels: PixelImage

    /// Whether text is missing because no font is installed. The image then has boxes and plates, but no text and no
    /// caption. Advise the user to install a font (on Debian: fonts-dejavu-core), or to name one.
    public let isFontMissing: Bool
}

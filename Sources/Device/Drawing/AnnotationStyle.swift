/// How boxes and labels look. Sizes depend on the image's size, so the same style suits a thumbnail and a poster.
public struct AnnotationStyle: Sendable, Hashable {
    /// The path of a TrueType or OpenType file. nil means the file in the environment variable `HEARTH_FONT`, else the
    /// first of DejaVu Sans, Liberation Sans and Noto Sans that is installed.
    public var fontPath: String?

    /// The factor for the size of lines and text: larger above 1, smaller below; limited to 0.25...8.
    public var scale: Double

    /// The colours of the boxes, chosen by ``BoxAnnotation/colorIndex``. Empty means the default.
    public var palette: [RGBColor]

    /// Creates a style; the defaults suit most images.
    public init(
        fontPath: String? = nil, scale: Double = 1, palette: [RGBColor] = RGBColor.colorBlindPalette
    ) {
        self.fontPath = fontPath
        self.scale = scale
        self.palette = palette
    }
}

/// The width of lines and the size of letters on an image of some size, in pixels.
struct AnnotationScale {
    let lineWidth: Int

    /// nil if the image has no room for letters.
    let textSize: Int?

    /// Smaller letters are illegible.
    static let minTextSize = 9

    init(width: Int, height: Int, factor: Double) {
        let factor = factor.isFinite ? min(max(factor, 0.25), 8) : 1
        let side = (Double(width) * Double(height)).squareRoot()
        lineWidth = max(1, Int((factor * (0.5 + side * 0.0026)).rounded()))
        // People enlarge small images and reduce large ones, but by less than the sizes differ. So the text size grows
        // more slowly than the image.
        let wanted = Int((factor * (5 + side * 0.016)).rounded())
        // In long narrow images, the short side limits the size.
        let room = min(width, height) / 2
        let size = min(max(wanted, Self.minTextSize), 512, max(room, Self.minTextSize))
        textSize = TextMetrics.rowHeight(textSize: size) <= height ? size : nil
    }
}

/// The sizes for a text size, in pixels.
struct TextMetrics {
    let textSize: Int
    let capHeight: Int

    /// - Parameter font: nil without a font; plates then have the same height as with one.
    init(textSize: Int, font: FontFace?) {
        self.textSize = textSize
        capHeight = font?.capHeight ?? textSize * 7 / 10
    }

    /// The height of a line including the space above and below it.
    var rowHeight: Int { Self.rowHeight(textSize: textSize) }

    /// The distance between the text and the sides of its plate.
    var padding: Int { max(2, textSize * 2 / 5) }

    /// Centres capital letters in their row.
    func baseline(inRowAt top: Int) -> Int { top + (rowHeight + capHeight) / 2 }

    static func rowHeight(textSize: Int) -> Int { (textSize * 27 + 10) / 20 }
}

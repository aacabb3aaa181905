/// How boxes and labels look. Sizes follow from the image's: the same style suits a thumbnail and a poster.
public struct AnnotationStyle: Sendable, Hashable {
    /// A TrueType or OpenType file; nil: the one that the environment variable `HEARTH_FONT` names, or else the first of
    /// DejaVu Sans, Liberation Sans and Noto Sans that is installed.
    public var fontPath: String?

    /// Makes lines and text thicker and larger (above 1) or thinner and smaller; limited to 0.25...8.
    public var scale: Double

    /// Colours of the boxes, taken by `BoxAnnotation.colorIndex`. Empty acts like the default.
    public var palette: [RGBColor]

    public init(
        fontPath: String? = nil, scale: Double = 1, palette: [RGBColor] = RGBColor.colorBlindPalette
    ) {
        self.fontPath = fontPath
        self.scale = scale
        self.palette = palette
    }
}

/// How thick lines and how large letters are on an image of some size, in pixels.
struct AnnotationScale {
    let lineWidth: Int

    /// Nil: the image has no room for letters.
    let textSize: Int?

    /// Below this, letters are smears.
    static let minTextSize = 9

    init(width: Int, height: Int, factor: Double) {
        let factor = factor.isFinite ? min(max(factor, 0.25), 8) : 1
        let side = (Double(width) * Double(height)).squareRoot()
        lineWidth = max(1, Int((factor * (0.5 + side * 0.0026)).rounded()))
        // Small images are looked at enlarged and large ones reduced, but less than their sizes tell.
        let wanted = Int((factor * (5 + side * 0.016)).rounded())
        // In long narrow images the short side decides.
        let room = min(width, height) / 2
        let size = min(max(wanted, Self.minTextSize), 512, max(room, Self.minTextSize))
        textSize = TextMetrics.rowHeight(textSize: size) <= height ? size : nil
    }
}

/// Sizes that go with a text size, in pixels.
struct TextMetrics {
    let textSize: Int
    let capHeight: Int

    /// - Parameter font: Nil where there is none: plates stay as high as with one.
    init(textSize: Int, font: FontFace?) {
        self.textSize = textSize
        capHeight = font?.capHeight ?? textSize * 7 / 10
    }

    /// Of a line with the room over and under it.
    var rowHeight: Int { Self.rowHeight(textSize: textSize) }

    /// Between the text and the sides of its plate.
    var padding: Int { max(2, textSize * 2 / 5) }

    /// Capital letters stand in the middle of their row.
    func baseline(inRowAt top: Int) -> Int { top + (rowHeight + capHeight) / 2 }

    static func rowHeight(textSize: Int) -> Int { (textSize * 27 + 10) / 20 }
}

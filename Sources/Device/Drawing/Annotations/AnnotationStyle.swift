/// How boxes and labels look. Sizes follow from the picture's: the same style suits a thumbnail and a poster.
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

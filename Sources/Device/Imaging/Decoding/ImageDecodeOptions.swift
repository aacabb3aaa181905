/// How `ImageDecoder` treats what it is given.
public struct ImageDecodeOptions: Sendable, Hashable {
    /// What a picture may cost.
    public var limits: ImageLimits

    /// Whether to return what could be decoded of damaged or cut data, as long as the header is intact. What is missing
    /// is black, grey or wrong, and `DecodedImage.isPartial` is true. Off by default: damaged data is an error.
    public var allowPartial: Bool

    /// Whether a picture that is decoded for a model may be decoded at a smaller size, which is much faster for large JPEG
    /// files. Scores differ a little from those of the full picture: `DecodeTarget.cover` tells how much. On by default.
    public var allowsScaledDecode: Bool

    /// What the picture counts against while it is in memory; nil for nothing. For files only.
    package var memory: ImageMemoryShare?

    public init(limits: ImageLimits = ImageLimits(), allowPartial: Bool = false, allowsScaledDecode: Bool = true) {
        self.limits = limits
        self.allowPartial = allowPartial
        self.allowsScaledDecode = allowsScaledDecode
    }
}

/// Options of ``ImageDecoder``.
public struct ImageDecodeOptions: Sendable, Hashable {
    /// The most memory and time that an image may take.
    public var limits: ImageLimits

    /// Whether to return the decoded part of damaged or truncated data, if the header is intact. Missing pixels are
    /// black, gray or wrong, and ``DecodedImage/isPartial`` is true. Off by default: damaged data is an error.
    public var allowPartial: Bool

    /// Whether an image for a model may be decoded at a smaller size, which is much faster for large JPEG files. Scores
    /// differ a little from those of the full image; ``DecodeTarget/defaultOversampling(width:height:)`` has the
    /// measurements. On by default.
    public var allowsScaledDecode: Bool

    /// The memory reservation that the image counts against; nil for none. For files only.
    package var memory: ImageMemoryReservation?

    /// Creates options; the defaults suit images from unknown sources.
    public init(limits: ImageLimits = ImageLimits(), allowPartial: Bool = false, allowsScaledDecode: Bool = true) {
        self.limits = limits
        self.allowPartial = allowPartial
        self.allowsScaledDecode = allowsScaledDecode
    }
}

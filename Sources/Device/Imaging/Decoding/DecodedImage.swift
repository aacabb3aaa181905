/// The result of decoding an image file: the stored pixels, and the orientation that makes the image upright.
///
/// The pixels are rotated only on request: `ImageTensorWriter` samples the stored pixels through the orientation.
public struct DecodedImage: Sendable {
    /// The pixels as stored in the file.
    public let pixels: PixelImage

    /// The orientation of the file's EXIF data; `.up` without usable data. The app may set another one.
    public var orientation: ImageOrientation

    /// Whether part of the image is missing or wrong; only with ``ImageDecodeOptions/allowPartial``.
    public let isPartial: Bool

    /// The width and height in the file, in pixels. After a scaled decode, ``pixels`` is smaller.
    public let storedSize: (width: Int, height: Int)

    /// Creates an image that was not decoded from a file.
    public init(pixels: PixelImage, orientation: ImageOrientation = .up) {
        self.init(
            pixels: pixels, storedSize: (pixels.width, pixels.height), orientation: orientation, isPartial: false)
    }

    init(
        pixels: PixelImage, storedSize: (width: Int, height: Int)? = nil, orientation: ImageOrientation,
        isPartial: Bool
    ) {
        self.pixels = pixels
        self.storedSize = storedSize ?? (pixels.width, pixels.height)
        self.orientation = orientation
        self.isPartial = isPartial
    }

    /// The width and height of the upright original, in pixels. Regions and results use its coordinates, whatever the
    /// size at which it was decoded.
    public var uprightSize: (width: Int, height: Int) {
        uprightSize(orientation: orientation)
    }

    /// The upright image, as RGB without padding. It needs memory for a second image, unless the stored pixels already
    /// have this form.
    ///
    /// - Parameter orientation: Overrides the file's own orientation.
    /// - Throws: `ImageError` with code `.outOfMemory`.
    public func upright(orientation: ImageOrientation? = nil) throws(ImageError) -> PixelImage {
        try pixels.upright(orientation: orientation ?? self.orientation)
    }

    /// The width and height of the upright original when `orientation` overrides the file's own.
    func uprightSize(orientation: ImageOrientation) -> (width: Int, height: Int) {
        orientation.uprightSize(storedWidth: storedSize.width, storedHeight: storedSize.height)
    }
}

/// What came out of an image file: the pixels as stored, and how they are to be turned to stand upright.
///
/// Nothing is turned until somebody asks: `ImageTensorWriter` samples the stored pixels through the orientation.
public struct DecodedImage: Sendable {
    /// The pixels as stored in the file.
    public let pixels: PixelImage

    /// What the file's EXIF data says, `.up` when it says nothing usable; or what whoever knows better sets.
    public var orientation: ImageOrientation

    /// Whether some of the image is missing or wrong; only with `ImageDecodeOptions.allowPartial`.
    public let isPartial: Bool

    /// Width and height of the image as it is in the file, in pixels; `pixels` has fewer after a scaled decode.
    public let storedSize: (width: Int, height: Int)

    /// An image that was not decoded from a file.
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

    /// Width and height of the upright original, in pixels. Regions and results are in its coordinates, whatever the size
    /// it was decoded at.
    public var uprightSize: (width: Int, height: Int) {
        uprightSize(orientation: orientation)
    }

    /// The image turned upright, as RGB without padding. Takes memory for a second image unless it is stored so.
    ///
    /// - Parameter orientation: Overrides the file's own orientation.
    /// - Throws: `ImageError` with code `.outOfMemory`.
    public func upright(orientation: ImageOrientation? = nil) throws(ImageError) -> PixelImage {
        try pixels.upright(orientation: orientation ?? self.orientation)
    }

    /// Width and height of the upright original when `orientation` overrides the file's own.
    func uprightSize(orientation: ImageOrientation) -> (width: Int, height: Int) {
        orientation.uprightSize(storedWidth: storedSize.width, storedHeight: storedSize.height)
    }
}

public import Foundation
public import HearthImaging
public import HearthPlatform

/// A picture for labelers and detectors: from an image file, or raw pixels.
///
/// It is decoded at its first use and then kept decoded; whoever uses it reports what is wrong with it. Use it from any
/// thread.
public final class VisionImage: NSObject, MLKitCompatibleImage, Sendable {
    private let stored: StoredPicture

    /// How the pixels are to be turned or mirrored to stand upright.
    ///
    /// Starts as `.up` for a `UIImage` and for a camera's frame: the app has to set it, as with ML Kit. For image files it
    /// starts as what the file's EXIF data says, and reading it looks into the file. What is set applies instead.
    public var orientation: UIImage.Orientation {
        get { stored.orientation }
        set { stored.orientation = newValue }
    }

    /// Width and height of the upright original in pixels; nil until a labeler or detector has looked at the picture.
    package var uprightSize: (width: Int, height: Int)? { stored.uprightSize }

    /// A picture with pixels. Its own `imageOrientation` is ignored, as ML Kit does: set `orientation`.
    ///
    /// A picture without a `cgImage` is reported by whoever uses it.
    public init(image: UIImage) {
        stored = StoredPicture(.pixels(PixelImage.from(image)), orientation: .up)
    }

    /// A camera's frame: 32BGRA, or 8-bit 4:2:0 in two planes. Other formats, and a sample without a frame, are reported by
    /// whoever uses it.
    ///
    /// The frame's memory is not copied; it is held until this object and its users are gone.
    public init(buffer: CMSampleBuffer) {
        stored = StoredPicture(.pixels(PixelImage.from(CMSampleBufferGetImageBuffer(buffer))), orientation: .up)
    }

    /// The bytes of an image file, in any format that `ImageDecoder` reads; which one, the bytes tell. Hearth's addition.
    public init(data: Data, options: ImageDecodeOptions = ImageDecodeOptions()) {
        stored = StoredPicture(.data(data, options), orientation: nil)
    }

    /// An image file; read at the first use. Hearth's addition.
    public init(contentsOfFile path: String, options: ImageDecodeOptions = ImageDecodeOptions()) {
        stored = StoredPicture(.file(path, options), orientation: nil)
    }

    /// Pixels in memory: what else cameras and video decoders give. Hearth's addition.
    public init(pixels: PixelImage, orientation: UIImage.Orientation = .up) {
        stored = StoredPicture(.pixels(.success(pixels)), orientation: ImageOrientation(orientation))
    }
}

extension VisionImage: PictureSource {
    func picture(covering target: DecodeTarget?) throws(ImageError) -> DecodedImage {
        try stored.picture(covering: target)
    }
}

public import Foundation
import HearthConcurrency
public import HearthImaging
public import HearthPlatform

/// An image for labelers and detectors, from an image file or from raw pixels.
///
/// The first labeler or detector that uses it decodes it, and the decoded image is kept. Errors in the image appear
/// there, not at creation. Use it from any thread.
public final class VisionImage: NSObject, MLKitCompatibleImage, Sendable {
    private let stored: LazyImage

    /// How to rotate or mirror the pixels so that the image is upright.
    ///
    /// The initial value is `.up` for a `UIImage` and for a camera's frame; the app has to set it, as with ML Kit. For
    /// image files it is the orientation of the file's EXIF data, and reading this property reads the file. A value
    /// that the app sets takes precedence.
    public var orientation: UIImage.Orientation {
        get { stored.orientation }
        set { stored.orientation = newValue }
    }

    /// Width and height of the upright original in pixels; nil until a labeler or detector has decoded the image.
    package var uprightSize: (width: Int, height: Int)? { stored.uprightSize }

    /// Creates an image from a `UIImage`. Like ML Kit, it ignores the `UIImage`'s own `imageOrientation`: set
    /// ``orientation``.
    ///
    /// The labeler or detector that uses the image reports a missing `cgImage`.
    public init(image: UIImage) {
        stored = LazyImage(.pixels(PixelImage.from(image)), orientation: .up)
    }

    /// Creates an image from a camera's frame: 32BGRA, or 8-bit 4:2:0 in two planes.
    ///
    /// The labeler or detector that uses the image reports other formats, and a sample without a frame. The frame's
    /// memory is not copied; it stays in use as long as this object and calls that use it exist.
    public init(buffer: CMSampleBuffer) {
        stored = LazyImage(.pixels(PixelImage.from(CMSampleBufferGetImageBuffer(buffer))), orientation: .up)
    }

    /// Creates an image from the bytes of an image file, in any format that `ImageDecoder` recognizes by the bytes.
    /// Hearth's addition.
    public init(data: Data, options: ImageDecodeOptions = ImageDecodeOptions()) {
        stored = LazyImage(.data(data, options), orientation: nil)
    }

    /// Creates an image from an image file, which is read at first use. Hearth's addition.
    public init(contentsOfFile path: String, options: ImageDecodeOptions = ImageDecodeOptions()) {
        stored = LazyImage(.file(path, options), orientation: nil)
    }

    /// Creates an image from pixels in memory, in further formats of cameras and video decoders. Hearth's addition.
    public init(pixels: PixelImage, orientation: UIImage.Orientation = .up) {
        stored = LazyImage(.pixels(.success(pixels)), orientation: ImageOrientation(orientation))
    }
}

extension VisionImage: ImageSource {
    func decodedImage(covering target: DecodeTarget?) throws(ImageError) -> DecodedImage {
        try stored.decodedImage(covering: target)
    }
}

/// The images that labelers and detectors accept: `VisionImage` and `MLImage`. Apps must not add others, because
/// labelers and detectors reject them.
public protocol MLKitCompatibleImage: NSObjectProtocol {}

/// What labelers and detectors need from an image of this module.
protocol ImageSource: MLKitCompatibleImage, Sendable {
    /// The pixels, at least as many as `target` needs, with the orientation that applies; all pixels when `target` is
    /// nil.
    ///
    /// Blocks while it decodes. Other threads that need the same image wait for that.
    func decodedImage(covering target: DecodeTarget?) throws(ImageError) -> DecodedImage
}

/// The app's image as a source of pixels. It throws for a type that is not from this module.
func imageSource(_ image: any MLKitCompatibleImage) throws(NSError) -> any ImageSource {
    guard let image = image as? any ImageSource else {
        throw VisionError.make(.invalidArgument, "The image is neither a VisionImage nor an MLImage.")
    }
    return image
}

/// An image as the app passed it, with its orientation. It is decoded when a labeler or detector needs it, and the
/// decoded image is kept.
final class LazyImage: Sendable {
    enum Origin: Sendable {
        case data(Data, ImageDecodeOptions)
        case file(String, ImageDecodeOptions)
        /// Raw pixels, or the error to report to the labeler or detector that uses the image.
        case pixels(Result<PixelImage, ImageError>)
    }

    private struct Decoded {
        var image: DecodedImage
        var target: DecodeTarget?

        func covers(_ other: DecodeTarget?) -> Bool {
            let isWhole = (image.pixels.width, image.pixels.height) == image.storedSize
            guard !isWhole else { return true }
            guard let target, let other else { return false }
            // A larger copy of the same part of the image also serves for a smaller size.
            let isSamePart =
                (target.placement, target.region, target.orientation)
                == (other.placement, other.region, other.orientation)
            let (own, needed) = (target.coveredSize, other.coveredSize)
            return isSamePart && own.width >= needed.width && own.height >= needed.height
        }
    }

    private let origin: Origin
    private let decoded = Lock<Decoded?>(nil)
    private let chosenOrientation: Lock<ImageOrientation?>

    /// - Parameter orientation: nil for the orientation that the file states.
    init(_ origin: Origin, orientation: ImageOrientation?) {
        self.origin = origin
        chosenOrientation = Lock(orientation)
    }

    var orientation: UIImage.Orientation {
        get { UIImage.Orientation(chosenOrientation.withLock { $0 } ?? embeddedOrientation) }
        set { chosenOrientation.withLock { $0 = ImageOrientation(newValue) } }
    }

    func decodedImage(covering target: DecodeTarget?) throws(ImageError) -> DecodedImage {
        let orientation = chosenOrientation.withLock { $0 }
        var target = target
        if let orientation { target?.orientation = orientation }
        var image = try stored(covering: target)
        if let orientation { image.orientation = orientation }
        return image
    }

    /// Width and height of the upright original in pixels; nil before the first decoding.
    var uprightSize: (width: Int, height: Int)? {
        let orientation = chosenOrientation.withLock { $0 }
        guard var image = decoded.withLock({ $0?.image }) else { return nil }
        if let orientation { image.orientation = orientation }
        return image.uprightSize
    }

    /// Read from the decoded image if there is one, else from the smallest version that the decoder produces.
    private var embeddedOrientation: ImageOrientation {
        if let image = decoded.withLock({ $0?.image }) { return image.orientation }
        return (try? stored(covering: DecodeTarget(width: 1, height: 1)))?.orientation ?? .up
    }

    private func stored(covering target: DecodeTarget?) throws(ImageError) -> DecodedImage {
        try decoded.withLock { decoded throws(ImageError) in
            if let decoded, decoded.covers(target) { return decoded.image }
            let image = try origin.decode(covering: target)
            decoded = Decoded(image: image, target: target)
            return image
        }
    }
}

extension DecodeTarget {
    /// The least number of pixels that a decoder keeps of what the model sees.
    fileprivate var coveredSize: (width: Double, height: Double) {
        let cover = max(oversampling, 1)
        return (Double(width) * cover, Double(height) * cover)
    }
}

extension LazyImage.Origin {
    fileprivate func decode(covering target: DecodeTarget?) throws(ImageError) -> DecodedImage {
        switch self {
        case .data(let data, let options): try ImageDecoder.decode(data, options: options, covering: target)
        case .file(let path, let options):
            try ImageDecoder.decode(contentsOfFile: path, options: options, covering: target)
        case .pixels(let pixels): DecodedImage(pixels: try pixels.get())
        }
    }
}

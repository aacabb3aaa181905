public import Foundation
public import HearthImaging
public import HearthPlatform
import Synchronization

/// An image for labelers and detectors: from an image file, or raw pixels.
///
/// It is decoded at its first use and then kept decoded; whoever uses it reports what is wrong with it. Use it from any
/// thread.
public final class VisionImage: NSObject, MLKitCompatibleImage, Sendable {
    private let stored: LazyImage

    /// How the pixels are to be turned or mirrored to stand upright.
    ///
    /// Starts as `.up` for a `UIImage` and for a camera's frame: the app has to set it, as with ML Kit. For image files it
    /// starts as what the file's EXIF data says, and reading it looks into the file. What is set applies instead.
    public var orientation: UIImage.Orientation {
        get { stored.orientation }
        set { stored.orientation = newValue }
    }

    /// Width and height of the upright original in pixels; nil until a labeler or detector has looked at the image.
    package var uprightSize: (width: Int, height: Int)? { stored.uprightSize }

    /// An image with pixels. Its own `imageOrientation` is ignored, as ML Kit does: set `orientation`.
    ///
    /// An image without a `cgImage` is reported by whoever uses it.
    public init(image: UIImage) {
        stored = LazyImage(.pixels(PixelImage.from(image)), orientation: .up)
    }

    /// A camera's frame: 32BGRA, or 8-bit 4:2:0 in two planes. Other formats, and a sample without a frame, are reported by
    /// whoever uses it.
    ///
    /// The frame's memory is not copied; it is held until this object and its users are gone.
    public init(buffer: CMSampleBuffer) {
        stored = LazyImage(.pixels(PixelImage.from(CMSampleBufferGetImageBuffer(buffer))), orientation: .up)
    }

    /// The bytes of an image file, in any format that `ImageDecoder` reads; which one, the bytes tell. Hearth's addition.
    public init(data: Data, options: ImageDecodeOptions = ImageDecodeOptions()) {
        stored = LazyImage(.data(data, options), orientation: nil)
    }

    /// An image file; read at the first use. Hearth's addition.
    public init(contentsOfFile path: String, options: ImageDecodeOptions = ImageDecodeOptions()) {
        stored = LazyImage(.file(path, options), orientation: nil)
    }

    /// Pixels in memory: what else cameras and video decoders give. Hearth's addition.
    public init(pixels: PixelImage, orientation: UIImage.Orientation = .up) {
        stored = LazyImage(.pixels(.success(pixels)), orientation: ImageOrientation(orientation))
    }
}

extension VisionImage: ImageSource {
    func decodedImage(covering target: DecodeTarget?) throws(ImageError) -> DecodedImage {
        try stored.decodedImage(covering: target)
    }
}

/// What labelers and detectors take: `VisionImage` and `MLImage`. Not for apps to conform to.
public protocol MLKitCompatibleImage: NSObjectProtocol {}

/// What every image of this module gives to labelers and detectors.
protocol ImageSource: MLKitCompatibleImage, Sendable {
    /// The pixels, at least as many as `target` needs, with the orientation that applies; nil for all of them.
    ///
    /// Blocks while it decodes; other threads that want the same image wait for the first.
    func decodedImage(covering target: DecodeTarget?) throws(ImageError) -> DecodedImage
}

/// The image that an app gave, if it is one of this module's.
func imageSource(_ image: any MLKitCompatibleImage) throws(NSError) -> any ImageSource {
    guard let image = image as? any ImageSource else {
        throw VisionError.make(.invalidArgument, "The image is neither a VisionImage nor an MLImage.")
    }
    return image
}

/// An image as the app gave it and how it is to be turned. It is decoded when it is wanted, and then kept decoded.
final class LazyImage: Sendable {
    enum Origin: Sendable {
        case data(Data, ImageDecodeOptions)
        case file(String, ImageDecodeOptions)
        /// Raw pixels, or why there are none: that is told to whoever wants them.
        case pixels(Result<PixelImage, ImageError>)
    }

    private struct Decoded {
        var image: DecodedImage
        var target: DecodeTarget?

        func covers(_ other: DecodeTarget?) -> Bool {
            let isWhole = (image.pixels.width, image.pixels.height) == image.storedSize
            guard !isWhole else { return true }
            guard let target, let other else { return false }
            // Of one part of the image the larger copy serves for the smaller one.
            let isSamePart =
                (target.placement, target.region, target.orientation)
                == (other.placement, other.region, other.orientation)
            let (own, needed) = (target.coveredSize, other.coveredSize)
            return isSamePart && own.width >= needed.width && own.height >= needed.height
        }
    }

    private let origin: Origin
    private let decoded = Mutex<Decoded?>(nil)
    private let chosenOrientation: Mutex<ImageOrientation?>

    /// - Parameter orientation: nil: what the file says.
    init(_ origin: Origin, orientation: ImageOrientation?) {
        self.origin = origin
        chosenOrientation = Mutex(orientation)
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

    /// Width and height of the upright original in pixels; nil as long as nothing was decoded.
    var uprightSize: (width: Int, height: Int)? {
        let orientation = chosenOrientation.withLock { $0 }
        guard var image = decoded.withLock({ $0?.image }) else { return nil }
        if let orientation { image.orientation = orientation }
        return image.uprightSize
    }

    /// Of what was decoded already, else of the smallest image that the decoder makes.
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
    /// How many pixels a decoder leaves at least of what the model sees.
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

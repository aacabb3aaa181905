public import Foundation
import HearthImaging
public import HearthPlatform

/// The type of object that an `MLImage` was created from.
public enum MLImageSourceType: Int, Sendable {
    /// A `UIImage`.
    case image = 0
    /// A `CVPixelBuffer`.
    case pixelBuffer = 1
    /// A `CMSampleBuffer`.
    case sampleBuffer = 2
}

/// An image for labelers and detectors that is checked at creation. Use it from any thread.
public final class MLImage: NSObject, MLKitCompatibleImage, Sendable {
    /// The width in pixels: of the upright image if it was created from a `UIImage`, else as stored.
    public let width: CGFloat
    /// The height in pixels: of the upright image if it was created from a `UIImage`, else as stored.
    public let height: CGFloat

    /// The type of object that this image was created from.
    public let imageSourceType: MLImageSourceType
    /// The `UIImage` that this image was created from; nil for other types.
    public let image: UIImage?
    /// The `CVPixelBuffer` that this image was created from; nil for other types.
    public let pixelBuffer: CVPixelBuffer?
    /// The `CMSampleBuffer` that this image was created from; nil for other types.
    public let sampleBuffer: CMSampleBuffer?

    private let stored: LazyImage

    /// How to rotate or mirror the pixels so that the image is upright.
    ///
    /// The initial value is the `UIImage`'s own orientation, unlike with `VisionImage`, and `.up` for a camera's frame.
    public var orientation: UIImage.Orientation {
        get { stored.orientation }
        set { stored.orientation = newValue }
    }

    /// Creates an image from a `UIImage`.
    /// - Returns: nil when the `UIImage` has no `cgImage`.
    public convenience init?(image: UIImage) {
        self.init(PixelImage.from(image), orientation: image.imageOrientation, image: image)
    }

    /// Creates an image from a camera's frame.
    /// - Returns: nil unless the frame is 32BGRA or 8-bit 4:2:0 in two planes, and has the bytes for its size.
    public convenience init?(pixelBuffer: CVPixelBuffer) {
        self.init(PixelImage.from(pixelBuffer), pixelBuffer: pixelBuffer)
    }

    /// Creates an image from a sample of a camera or a video.
    /// - Returns: nil when the sample has no frame, or one that ``init(pixelBuffer:)`` rejects.
    public convenience init?(sampleBuffer: CMSampleBuffer) {
        self.init(PixelImage.from(CMSampleBufferGetImageBuffer(sampleBuffer)), sampleBuffer: sampleBuffer)
    }

    private init?(
        _ pixels: Result<PixelImage, ImageError>, orientation: UIImage.Orientation = .up, image: UIImage? = nil,
        pixelBuffer: CVPixelBuffer? = nil, sampleBuffer: CMSampleBuffer? = nil
    ) {
        guard case .success(let decoded) = pixels else { return nil }
        stored = LazyImage(.pixels(pixels), orientation: ImageOrientation(orientation))
        let size = image?.size ?? CGSize(width: decoded.width, height: decoded.height)
        let scale = image?.scale ?? 1
        (width, height) = (size.width * scale, size.height * scale)
        imageSourceType = image != nil ? .image : pixelBuffer != nil ? .pixelBuffer : .sampleBuffer
        self.image = image
        self.pixelBuffer = pixelBuffer
        self.sampleBuffer = sampleBuffer
    }
}

extension MLImage: ImageSource {
    func decodedImage(covering target: DecodeTarget?) throws(ImageError) -> DecodedImage {
        try stored.decodedImage(covering: target)
    }
}

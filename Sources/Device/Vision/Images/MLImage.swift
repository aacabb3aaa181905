public import Foundation
import HearthImaging
public import HearthPlatform

/// What an `MLImage` was made from.
public enum MLImageSourceType: Int, Sendable {
    case image = 0
    case pixelBuffer = 1
    case sampleBuffer = 2
}

/// An image for labelers and detectors, checked when it is made. Use it from any thread.
public final class MLImage: NSObject, MLKitCompatibleImage, Sendable {
    /// In pixels; of the upright image if it was made from a `UIImage`, else as stored.
    public let width: CGFloat
    /// In pixels; of the upright image if it was made from a `UIImage`, else as stored.
    public let height: CGFloat

    public let imageSourceType: MLImageSourceType
    /// What it was made from; nil if that is something else.
    public let image: UIImage?
    /// What it was made from; nil if that is something else.
    public let pixelBuffer: CVPixelBuffer?
    /// What it was made from; nil if that is something else.
    public let sampleBuffer: CMSampleBuffer?

    private let stored: LazyImage

    /// How the pixels are to be turned or mirrored to stand upright.
    ///
    /// Starts as the `UIImage`'s own, unlike `VisionImage`'s, and as `.up` for a camera's frame.
    public var orientation: UIImage.Orientation {
        get { stored.orientation }
        set { stored.orientation = newValue }
    }

    /// nil when the image has no `cgImage`.
    public convenience init?(image: UIImage) {
        self.init(PixelImage.from(image), orientation: image.imageOrientation, image: image)
    }

    /// nil unless the frame is 32BGRA or 8-bit 4:2:0 in two planes, and has the bytes for its size.
    public convenience init?(pixelBuffer: CVPixelBuffer) {
        self.init(PixelImage.from(pixelBuffer), pixelBuffer: pixelBuffer)
    }

    /// nil when there is no frame in it, or one that `init(pixelBuffer:)` refuses.
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

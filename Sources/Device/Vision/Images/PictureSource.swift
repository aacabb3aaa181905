import Foundation
import HearthImaging

/// What every picture of this module gives to labelers and detectors.
protocol PictureSource: MLKitCompatibleImage, Sendable {
    /// The pixels, at least as many as `target` needs, with the orientation that applies; nil for all of them.
    ///
    /// Blocks while it decodes; other threads that want the same picture wait for the first.
    func picture(covering target: DecodeTarget?) throws(ImageError) -> DecodedImage
}

/// The picture that an app gave, if it is one of this module's.
func pictureSource(_ image: any MLKitCompatibleImage) throws(NSError) -> any PictureSource {
    guard let image = image as? any PictureSource else {
        throw VisionError.make(.invalidArgument, "The image is neither a VisionImage nor an MLImage.")
    }
    return image
}

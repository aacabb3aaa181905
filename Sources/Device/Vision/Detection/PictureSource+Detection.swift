import Foundation

/// The picture that an app gave, if it is one of this module's.
func pictureSource(_ image: any MLKitCompatibleImage) throws(NSError) -> any PictureSource {
    guard let image = image as? any PictureSource else {
        throw VisionError.make(.invalidArgument, "The image is neither a VisionImage nor an MLImage.")
    }
    return image
}

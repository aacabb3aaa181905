public import Foundation
import HearthImaging
public import HearthPlatform

extension UIImage {
    /// An image file, in any format that `ImageDecoder` reads; decoded here and now, and in full. Its EXIF data gives the
    /// `imageOrientation`. For a picture that only a labeler or a detector looks at, `VisionImage(contentsOfFile:)` is
    /// faster: it decodes no more than they need.
    ///
    /// - Returns: nil when it cannot be read or decoded; `ImageDecoder` says why.
    public convenience init?(contentsOfFile path: String) {
        guard let image = try? ImageDecoder.decode(contentsOfFile: path) else { return nil }
        self.init(decoded: image)
    }

    /// The same from the bytes of an image file.
    public convenience init?(data: Data) {
        guard let image = try? ImageDecoder.decode(data) else { return nil }
        self.init(decoded: image)
    }

    private convenience init?(decoded: DecodedImage) {
        guard let image = CGImage.from(decoded) else { return nil }
        self.init(cgImage: image, scale: 1, orientation: Orientation(decoded.orientation))
    }
}

extension CGImage {
    /// The pixels as stored; nil when there is no memory for them.
    fileprivate static func from(_ decoded: DecodedImage) -> CGImage? {
        let (width, height) = (decoded.pixels.width, decoded.pixels.height)
        guard let writer = try? ImageTensorWriter(width: width, height: height, format: .uint8),
            let bytes = malloc(writer.byteCount)
        else { return nil }
        // Owns the bytes from here on, whatever happens.
        let data = Data(bytesNoCopy: bytes, count: writer.byteCount, deallocator: .free)
        do {
            try writer.write(
                decoded, orientation: .up, into: UnsafeMutableRawBufferPointer(start: bytes, count: writer.byteCount))
        } catch {
            return nil
        }
        return CGImage(rgb: data, width: width, height: height)
    }
}

public import Foundation
public import HearthImaging
public import HearthPlatform

extension UIImage {
    /// Reads an image file in any format that `ImageDecoder` reads, and decodes all of it at once. The file's EXIF data
    /// sets the `imageOrientation`.
    ///
    /// `VisionImage(contentsOfFile:)` is faster for an image that only a labeler or a detector reads: it decodes no
    /// more than they need.
    /// - Returns: nil when the file cannot be read or decoded; `ImageDecoder` reports the reason.
    public convenience init?(contentsOfFile path: String) {
        guard let image = try? ImageDecoder.decode(contentsOfFile: path) else { return nil }
        self.init(decoded: image)
    }

    /// Decodes the bytes of an image file in the same way.
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
    /// The pixels as stored; nil when there is not enough memory for them.
    fileprivate static func from(_ decoded: DecodedImage) -> CGImage? {
        let (width, height) = (decoded.pixels.width, decoded.pixels.height)
        guard let writer = try? ImageTensorWriter(width: width, height: height, format: .uint8),
            let bytes = malloc(writer.byteCount)
        else { return nil }
        // From here on, `data` owns the bytes and frees them on every path.
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

// Both types name the same eight orientations; the raw values are EXIF's (1 to 8) and UIKit's (0 to 7).

extension ImageOrientation {
    /// Converts UIKit's orientation.
    public init(_ orientation: UIImage.Orientation) {
        self =
            switch orientation {
            case .up: .up
            case .down: .down
            case .left: .left
            case .right: .right
            case .upMirrored: .upMirrored
            case .downMirrored: .downMirrored
            case .leftMirrored: .leftMirrored
            case .rightMirrored: .rightMirrored
            }
    }
}

extension UIImage.Orientation {
    /// Converts an orientation to UIKit's.
    public init(_ orientation: ImageOrientation) {
        self =
            switch orientation {
            case .up: .up
            case .down: .down
            case .left: .left
            case .right: .right
            case .upMirrored: .upMirrored
            case .downMirrored: .downMirrored
            case .leftMirrored: .leftMirrored
            case .rightMirrored: .rightMirrored
            }
    }
}

// The pixels of the platform's image types, without a copy.

extension PixelImage {
    static func from(_ image: UIImage) -> Result<PixelImage, ImageError> {
        guard let image = image.cgImage else {
            return .failure(ImageError(.empty, "the UIImage has no cgImage; make it from a CGImage or an image file"))
        }
        let plane = Plane(image.bytes, bytesPerRow: image.bytesPerRow)
        return Result { () throws(ImageError) in
            try PixelImage(
                format: image.layout.pixelFormat, width: image.width, height: image.height, planes: [plane])
        }
    }

    static func from(_ frame: CVPixelBuffer?) -> Result<PixelImage, ImageError> {
        guard let frame else {
            return .failure(ImageError(.empty, "the sample buffer holds no frame; pass one with an image buffer"))
        }
        return Result { () throws(ImageError) in
            let (format, colorSpace) = try frame.supportedFormat()
            return try PixelImage(
                format: format, width: frame.width, height: frame.height,
                planes: frame.planes.map { Plane($0.bytes, bytesPerRow: $0.bytesPerRow) }, colorSpace: colorSpace)
        }
    }
}

extension BitmapLayout {
    fileprivate var pixelFormat: PixelFormat {
        switch self {
        case .rgb: .rgb
        case .xrgb: .xrgb
        case .rgbx: .rgba
        case .bgrx: .bgra
        }
    }
}

extension CVPixelBuffer {
    /// Frames do not carry their colour matrix. BT.601 is the one that most cameras use.
    fileprivate func supportedFormat() throws(ImageError) -> (PixelFormat, YUVColorSpace) {
        switch pixelFormatType {
        case kCVPixelFormatType_32BGRA: (.bgra, YUVColorSpace())
        case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: (.nv12, YUVColorSpace(range: .video))
        case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: (.nv12, YUVColorSpace(range: .full))
        default:
            throw ImageError(
                .unsupportedFormat,
                """
                frames of the pixel format \(formatName) are not supported; configure the camera for 32BGRA or \
                8-bit 4:2:0
                """
            )
        }
    }

    /// A pixel format is four characters, or else a number.
    private var formatName: String {
        let bytes = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: pixelFormatType >> $0) }
        let isText = bytes.allSatisfy { (0x20..<0x7F).contains($0) }
        return isText ? "'\(String(decoding: bytes, as: UTF8.self))'" : "\(pixelFormatType)"
    }
}

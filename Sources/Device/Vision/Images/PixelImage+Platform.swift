import HearthImaging
import HearthPlatform

// The stand-ins' pixels, without a copy.

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
    /// The frames say nothing of their colour matrix: BT.601 is what most cameras use.
    fileprivate func supportedFormat() throws(ImageError) -> (PixelFormat, YUVColorSpace) {
        switch pixelFormatType {
        case kCVPixelFormatType_32BGRA: (.bgra, YUVColorSpace())
        case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: (.nv12, YUVColorSpace(range: .video))
        case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: (.nv12, YUVColorSpace(range: .full))
        default:
            throw ImageError(
                .unsupportedFormat,
                "frames of the pixel format \(formatName) are not read; ask the camera for 32BGRA or 8-bit 4:2:0")
        }
    }

    /// Pixel formats are named by four characters, or by a number.
    private var formatName: String {
        let bytes = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: pixelFormatType >> $0) }
        let isText = bytes.allSatisfy { (0x20..<0x7F).contains($0) }
        return isText ? "'\(String(decoding: bytes, as: UTF8.self))'" : "\(pixelFormatType)"
    }
}

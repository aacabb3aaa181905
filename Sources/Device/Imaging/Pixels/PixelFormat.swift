import CSampling

/// The memory layout of an image's pixels, as cameras, video decoders and image files provide them. 8 bits per channel.
public enum PixelFormat: Sendable, Hashable, CaseIterable {
    /// One plane, 3 bytes per pixel.
    case rgb
    /// One plane, 4 bytes per pixel; alpha is ignored.
    case rgba
    /// One plane, 4 bytes per pixel; alpha is ignored.
    case bgra
    /// One plane, 4 bytes per pixel; the first byte is ignored.
    case xrgb
    /// One plane, 1 byte per pixel.
    case gray
    /// Two planes: luma, and at half size in both directions blue and red difference (Cb, Cr) alternating.
    case nv12
    /// Two planes: luma, and at half size in both directions red and blue difference (Cr, Cb) alternating.
    case nv21
    /// Three planes: luma, and at half size in both directions blue difference (Cb), then red difference (Cr).
    case i420

    /// The number of planes.
    public var planeCount: Int {
        switch self {
        case .rgb, .rgba, .bgra, .xrgb, .gray: 1
        case .nv12, .nv21: 2
        case .i420: 3
        }
    }

    /// Whether the bytes are luma and chroma, which a `YUVColorSpace` converts.
    var isYUV: Bool { planeCount > 1 }

    /// The rows of `plane` in an image of `height` rows: chroma has half as many, rounded up.
    func rows(ofPlane plane: Int, height: Int) -> Int {
        plane == 0 ? height : (height + 1) / 2
    }

    /// The used bytes of a row of `plane` in an image of `width` columns.
    func usedBytesPerRow(ofPlane plane: Int, width: Int) -> Int {
        switch self {
        case .rgb: width * 3
        case .rgba, .bgra, .xrgb: width * 4
        case .gray: width
        case .nv12, .nv21: plane == 0 ? width : (width + 1) / 2 * 2
        case .i420: plane == 0 ? width : (width + 1) / 2
        }
    }
}

extension PixelFormat {
    /// An image of this format for the sampling loops, without its planes.
    var emptyImage: hearth_image {
        var image = hearth_image()
        (image.arrangement, image.pixel_bytes, image.channels) =
            switch self {
            case .rgb: (hearth_interleaved, 3, (0, 1, 2))
            case .rgba: (hearth_interleaved, 4, (0, 1, 2))
            case .bgra: (hearth_interleaved, 4, (2, 1, 0))
            case .xrgb: (hearth_interleaved, 4, (1, 2, 3))
            case .gray: (hearth_interleaved, 1, (0, 0, 0))
            // The position of blue difference, then of red difference, in a pair.
            case .nv12: (hearth_semiplanar, 1, (0, 0, 1))
            case .nv21: (hearth_semiplanar, 1, (0, 1, 0))
            case .i420: (hearth_planar, 1, (0, 0, 0))
            }
        return image
    }
}

extension hearth_image {
    /// - Parameter bytes: Must outlive the image.
    mutating func lend(plane: Int, _ bytes: UnsafeRawBufferPointer, bytesPerRow: Int) {
        let start = bytes.bindMemory(to: UInt8.self).baseAddress
        switch plane {
        case 0: (self.plane.0, byte_count.0, row_bytes.0) = (start, bytes.count, bytesPerRow)
        case 1: (self.plane.1, byte_count.1, row_bytes.1) = (start, bytes.count, bytesPerRow)
        default: (self.plane.2, byte_count.2, row_bytes.2) = (start, bytes.count, bytesPerRow)
        }
    }
}

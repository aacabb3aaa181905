/// How the pixels of a picture lie in memory: what cameras, video decoders and image files give. 8 bits a channel.
public enum PixelFormat: Sendable, Hashable, CaseIterable {
    /// One plane, 3 bytes a pixel.
    case rgb
    /// One plane, 4 bytes a pixel; alpha is not looked at.
    case rgba
    /// One plane, 4 bytes a pixel; alpha is not looked at.
    case bgra
    /// One plane, 4 bytes a pixel; the first byte is not looked at.
    case xrgb
    /// One plane, 1 byte a pixel.
    case gray
    /// Two planes: luma, and at half size both ways blue and red difference (Cb, Cr) in turn.
    case nv12
    /// Two planes: luma, and at half size both ways red and blue difference (Cr, Cb) in turn.
    case nv21
    /// Three planes: luma, and at half size both ways blue difference (Cb), then red difference (Cr).
    case i420

    /// Number of planes.
    public var planeCount: Int {
        switch self {
        case .rgb, .rgba, .bgra, .xrgb, .gray: 1
        case .nv12, .nv21: 2
        case .i420: 3
        }
    }

    /// Whether the bytes are luma and chroma, to be converted by a `YUVColorSpace`.
    var isYUV: Bool { planeCount > 1 }

    /// Rows that `plane` has in a picture of `height` rows: chroma has half as many, rounded up.
    func rows(ofPlane plane: Int, height: Int) -> Int {
        plane == 0 ? height : (height + 1) / 2
    }

    /// Bytes that a row of `plane` uses in a picture of `width` columns.
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

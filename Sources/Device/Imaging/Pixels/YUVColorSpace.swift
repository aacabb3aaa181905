import CSampling

/// How luma and chroma become red, green and blue. Used only for images in `nv12`, `nv21` and `i420`.
///
/// The formula follows ITU-R BT.601 and BT.709. `Y`, `Cb` and `Cr` are the bytes. `kr` and `kb` are the matrix's
/// weights of red and blue (BT.601: 0.299, 0.114; BT.709: 0.2126, 0.0722), and `kg = 1 - kr - kb`. `a`, `b` and `o` are
/// the range's scales and offset (video: 255/219, 255/224, 16; full: 1, 1, 0):
///
///     y = a * max(Y - o, 0)
///     red   = y + 2 (1 - kr) b (Cr - 128)
///     blue  = y + 2 (1 - kb) b (Cb - 128)
///     green = y - 2 (1 - kb) kb / kg b (Cb - 128) - 2 (1 - kr) kr / kg b (Cr - 128)
///
/// The results are rounded to nearest and limited to 0...255. Each chroma sample applies to its four pixels (nearest),
/// as in OpenCV's `cvtColor`. Resizing blends luma and chroma first and converts the result.
public struct YUVColorSpace: Sendable, Hashable {
    /// The standard whose weights are used.
    public enum Matrix: Sendable, Hashable {
        /// ITU-R BT.601: JPEG, standard definition, most cameras.
        case bt601
        /// ITU-R BT.709: high-definition video.
        case bt709
    }

    /// The bytes that mean black and white.
    public enum Range: Sendable, Hashable {
        /// Luma 16 to 235, chroma 16 to 240.
        case video
        /// 0 to 255.
        case full
    }

    /// The standard whose weights are used.
    public var matrix: Matrix
    /// The bytes that mean black and white.
    public var range: Range

    /// Creates a color space; the defaults suit most cameras.
    public init(matrix: Matrix = .bt601, range: Range = .video) {
        self.matrix = matrix
        self.range = range
    }
}

extension YUVColorSpace {
    /// The formula of `YUVColorSpace` in integers, in units of 1/8192.
    var colorMatrix: hearth_color_matrix {
        let (red, blue) = matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
        let green = 1 - red - blue
        let (luma, chroma) = range == .video ? (255.0 / 219, 255.0 / 224) : (1, 1)
        let (redSlope, blueSlope) = (2 * (1 - red) * chroma, 2 * (1 - blue) * chroma)
        func fixed(_ value: Double) -> Int16 { Int16((value * 8192).rounded()) }
        return hearth_color_matrix(
            luma_offset: range == .video ? 16 : 0, luma: fixed(luma), red_difference_in_red: fixed(redSlope),
            blue_difference_in_green: fixed(-blueSlope * blue / green),
            red_difference_in_green: fixed(-redSlope * red / green), blue_difference_in_blue: fixed(blueSlope))
    }
}

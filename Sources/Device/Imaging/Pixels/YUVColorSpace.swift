/// How luma and chroma become red, green and blue. Only pictures in `nv12`, `nv21` and `i420` look at it.
public struct YUVColorSpace: Sendable, Hashable {
    /// Whose coefficients are used.
    public enum Matrix: Sendable, Hashable {
        /// ITU-R BT.601: JPEG, standard definition, most cameras.
        case bt601
        /// ITU-R BT.709: high-definition video.
        case bt709
    }

    /// Which bytes stand for black and white.
    public enum Range: Sendable, Hashable {
        /// Luma 16 to 235, chroma 16 to 240.
        case video
        /// 0 to 255.
        case full
    }

    public var matrix: Matrix
    public var range: Range

    public init(matrix: Matrix = .bt601, range: Range = .video) {
        self.matrix = matrix
        self.range = range
    }
}

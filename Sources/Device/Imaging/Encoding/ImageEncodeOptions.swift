/// How `ImageEncoder` trades size against fidelity and time.
public struct ImageEncodeOptions: Sendable, Hashable {
    /// How finely a JPEG keeps its colours.
    public enum ChromaSubsampling: Sendable, Hashable {
        /// 4:4:4: colour at every pixel. Thin coloured lines and text stay sharp.
        case none
        /// 4:2:0: one colour for each 2 x 2 pixels. About a fifth smaller; coloured edges blur.
        case quarter
    }

    /// Quality of a JPEG, 1 (small) to 100 (faithful).
    public var jpegQuality: Int

    public var chromaSubsampling: ChromaSubsampling

    /// zlib's level for a PNG, 0 (stored) to 9 (smallest). Beyond the default, photos become a tenth smaller at six times the
    /// time; drawings gain more.
    public var pngCompressionLevel: Int

    public init(jpegQuality: Int = 90, chromaSubsampling: ChromaSubsampling = .none, pngCompressionLevel: Int = 1) {
        self.jpegQuality = jpegQuality
        self.chromaSubsampling = chromaSubsampling
        self.pngCompressionLevel = pngCompressionLevel
    }

    func check() throws(ImageError) {
        guard (1...100).contains(jpegQuality) else {
            throw ImageError(.invalidOption, "a JPEG quality of \(jpegQuality) cannot be; give 1 to 100")
        }
        guard (0...9).contains(pngCompressionLevel) else {
            throw ImageError(.invalidOption, "a PNG compression level of \(pngCompressionLevel) cannot be; give 0 to 9")
        }
    }
}

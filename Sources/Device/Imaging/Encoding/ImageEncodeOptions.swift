/// How ``ImageEncoder`` balances size against fidelity and time.
public struct ImageEncodeOptions: Sendable, Hashable {
    /// The resolution of a JPEG's colours.
    public enum ChromaSubsampling: Sendable, Hashable {
        /// 4:4:4: a colour for each pixel. Thin coloured lines and text stay sharp.
        case none
        /// 4:2:0: one colour for each 2 x 2 pixels. Files are about a fifth smaller, but coloured edges blur.
        case quarter
    }

    /// The quality of a JPEG, from 1 (small) to 100 (faithful).
    public var jpegQuality: Int

    /// The resolution of a JPEG's colours.
    public var chromaSubsampling: ChromaSubsampling

    /// zlib's level for a PNG, from 0 (not compressed) to 9 (smallest). Above the default, photos become a tenth
    /// smaller in six times the time; drawings gain more.
    public var pngCompressionLevel: Int

    /// Creates options.
    public init(jpegQuality: Int = 90, chromaSubsampling: ChromaSubsampling = .none, pngCompressionLevel: Int = 1) {
        self.jpegQuality = jpegQuality
        self.chromaSubsampling = chromaSubsampling
        self.pngCompressionLevel = pngCompressionLevel
    }

    func check() throws(ImageError) {
        guard (1...100).contains(jpegQuality) else {
            throw ImageError(.invalidOption, "the JPEG quality \(jpegQuality) is out of range; use 1 to 100")
        }
        guard (0...9).contains(pngCompressionLevel) else {
            throw ImageError(
                .invalidOption, "the PNG compression level \(pngCompressionLevel) is out of range; use 0 to 9")
        }
    }
}

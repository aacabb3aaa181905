public import Foundation
import HearthFiles

/// Turns pixels into the bytes of an image file: JPEG or PNG.
///
/// All functions may be called on any thread. They compute for a while (a 12-megapixel photo takes about 0.1 s as a JPEG
/// and 0.5 s as a PNG): keep them off the main thread and off Swift's cooperative pool.
public enum ImageEncoder {
    /// Encodes `image`. The result needs no orientation: what is the first row in memory is the first row seen.
    ///
    /// - Throws: `ImageError` with code `.invalidOption`, `.tooLarge` (a JPEG's sides have at most 65,500 pixels),
    ///   `.outOfMemory` or `.encodingFailed`.
    public static func encode(
        _ image: PixelImage, as format: EncodedImageFormat, options: ImageEncodeOptions = ImageEncodeOptions()
    ) throws(ImageError) -> Data {
        try options.check()
        // The encoders read rows of RGB; raw images have other bytes, and fewer or more of them.
        let image = try image.rgb()
        return switch format {
        case .jpeg: try JPEGEncoder().encode(image, options: options)
        case .png: try PNGEncoder().encode(image, options: options)
        }
    }

    /// Writes `image` to the file at `path`, as what the path's extension says, in place of what is there.
    ///
    /// The file appears whole or not at all: until the last byte is on the disk, a reader finds what was there before.
    ///
    /// - Throws: `ImageError` with code `.unknownExtension`, `.unwritableFile` or `.noSpace`, and what
    ///   `encode(_:as:options:)` throws. Nothing is left behind then.
    public static func write(
        _ image: PixelImage, toFile path: String, options: ImageEncodeOptions = ImageEncodeOptions()
    ) throws(ImageError) {
        try write(image, toFile: path, options: options, files: DiskFiles())
    }

    static func write(
        _ image: PixelImage, toFile path: String, options: ImageEncodeOptions, files: any FileOperations
    ) throws(ImageError) {
        let bytes = try encode(image, as: EncodedImageFormat(path: path), options: options)
        do {
            // Readable as any file that the user makes: what the umask takes away is the user's choice.
            try AtomicFile.write([UInt8](bytes), to: path, mode: 0o666, files: files)
        } catch {
            throw failure(error, path)
        }
    }

    /// Turns a failed file operation into our error, without the name of the temporary file that it happened to.
    private static func failure(_ error: FileError, _ path: String) -> ImageError {
        switch error.code {
        case .noSpace: ImageError(.noSpace, "there is no space left for \(path); free some and write it again")
        case .notFound: ImageError(.unwritableFile, "\(path) cannot be written: its folder does not exist")
        case .notPermitted: ImageError(.unwritableFile, "\(path) cannot be written: writing there is not allowed")
        default: ImageError(.unwritableFile, "\(path) cannot be written: \(error.message)")
        }
    }
}

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
            throw ImageError(.invalidOption, "the JPEG quality \(jpegQuality) is out of range; use 1 to 100")
        }
        guard (0...9).contains(pngCompressionLevel) else {
            throw ImageError(
                .invalidOption, "the PNG compression level \(pngCompressionLevel) is out of range; use 0 to 9")
        }
    }
}

/// The kinds of file that `ImageEncoder` makes.
public enum EncodedImageFormat: String, Sendable, Hashable, CaseIterable {
    /// Lossy and small: for photos.
    case jpeg

    /// Lossless: every pixel comes back as it was.
    case png

    /// The format that a file's extension stands for: `.jpg`, `.jpeg` or `.png`, in capitals or not.
    ///
    /// - Throws: `ImageError` with code `.unknownExtension`, whose text names the accepted ones.
    public init(path: String) throws(ImageError) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        // A leading dot hides a file; what follows is its name and no extension.
        let parts = name.drop { $0 == "." }.split(separator: ".", omittingEmptySubsequences: false)
        switch parts.count > 1 ? parts[parts.count - 1].lowercased() : "" {
        case "jpg", "jpeg": self = .jpeg
        case "png": self = .png
        default:
            throw ImageError(
                .unknownExtension,
                "\(path) does not say what kind of image to write; end its name with .jpg, .jpeg or .png")
        }
    }
}

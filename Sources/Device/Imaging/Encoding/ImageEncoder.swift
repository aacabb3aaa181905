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
        // The encoders read rows of RGB; raw pictures have other bytes, and fewer or more of them.
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

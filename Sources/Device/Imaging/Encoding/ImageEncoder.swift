public import Foundation
import HearthFiles

/// Turns pixels into the bytes of an image file: JPEG or PNG.
///
/// Call these functions on any thread. They compute for a while (a 12-megapixel photo takes about 0.1 s as a JPEG and
/// 0.5 s as a PNG), so do not call them on the main thread or on Swift's cooperative thread pool.
public enum ImageEncoder {
    /// Encodes `image`. The result needs no orientation: the first row in memory is the top row.
    ///
    /// - Throws: `ImageError` with code `.invalidOption`, `.tooLarge` (a JPEG's sides have at most 65,500 pixels),
    ///   `.outOfMemory` or `.encodingFailed`.
    public static func encode(
        _ image: PixelImage, as format: EncodedImageFormat, options: ImageEncodeOptions = ImageEncodeOptions()
    ) throws(ImageError) -> Data {
        try options.check()
        // The encoders read rows of RGB, but raw images have other bytes, or more or fewer of them.
        let image = try image.rgb()
        return switch format {
        case .jpeg: try JPEGEncoder().encode(image, options: options)
        case .png: try PNGEncoder().encode(image, options: options)
        }
    }

    /// Writes `image` to the file at `path`, in the format of the path's extension, and replaces an existing file.
    ///
    /// The file is replaced as a whole: until the last byte is on the disk, readers see the old file.
    ///
    /// - Throws: `ImageError` with code `.unknownExtension`, `.unwritableFile` or `.noSpace`, and the errors of
    ///   `encode(_:as:options:)`. After an error, no partial file remains.
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
            // Readable like any file that the user creates; the user's umask removes permissions.
            try AtomicFile.write([UInt8](bytes), to: path, mode: 0o666, files: files)
        } catch {
            throw failure(error, path)
        }
    }

    /// Converts a failed file operation into an error of this module, without the name of the temporary file.
    private static func failure(_ error: FileError, _ path: String) -> ImageError {
        switch error.code {
        case .noSpace:
            ImageError(
                .noSpace, "there is no space left for \(path); free some and write it again", cause: error)
        case .notFound:
            ImageError(.unwritableFile, "\(path) cannot be written: its folder does not exist", cause: error)
        case .notPermitted:
            ImageError(.unwritableFile, "\(path) cannot be written: writing there is not allowed", cause: error)
        default: ImageError(.unwritableFile, "\(path) cannot be written: \(error.message)", cause: error)
        }
    }
}

/// The file formats that ``ImageEncoder`` writes.
public enum EncodedImageFormat: String, Sendable, Hashable, CaseIterable {
    /// Lossy and small: for photos.
    case jpeg

    /// Lossless: decoding returns every pixel unchanged.
    case png

    /// The format for a file's extension: `.jpg`, `.jpeg` or `.png`, in upper or lower case.
    ///
    /// - Throws: `ImageError` with code `.unknownExtension`, whose text names the accepted extensions.
    public init(path: String) throws(ImageError) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        // A leading dot marks a hidden file; the text after it is the name, not an extension.
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

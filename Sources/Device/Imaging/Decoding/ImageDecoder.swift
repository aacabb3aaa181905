public import Foundation

/// Turns the bytes of an image file into pixels. Decodes JPEG, PNG, WebP, BMP and GIF; what a file is, its
/// content tells, never its name.
///
/// All functions may be called on any thread. They compute for a while (about 5 ms a megapixel, less where a smaller
/// decode is enough): keep them off the main thread and off Swift's cooperative pool.
///
/// Pixels and files are read into memory that is used again and again: see `ImageMemory`.
public enum ImageDecoder {
    /// Decodes the file at `path`.
    ///
    /// - Throws: `ImageError` with code `.notFound` or `.unreadableFile`, and what `decode(_:options:)` throws.
    public static func decode(
        contentsOfFile path: String, options: ImageDecodeOptions = ImageDecodeOptions(),
        covering target: DecodeTarget? = nil
    ) throws(ImageError) -> DecodedImage {
        guard let memory = options.memory else {
            return try ImageFile(path, limits: options.limits).withUnsafeBytes { bytes throws(ImageError) in
                try decode(bytes, options: options, covering: target)
            }
        }
        return try decode(contentsOfFile: path, options: options, covering: target, within: memory)
    }

    /// Reads the file when there is room for it, and anew where its pixels need more room than there is meanwhile: who waits
    /// holds nothing.
    private static func decode(
        contentsOfFile path: String, options: ImageDecodeOptions, covering target: DecodeTarget?,
        within memory: ImageMemoryReservation
    ) throws(ImageError) -> DecodedImage {
        var wanted = 0
        while true {
            do throws(ImageError) {
                let file = try ImageFile(path, limits: options.limits) { size throws(ImageError) in
                    try memory.acquire(max(size, wanted))
                }
                let image = try file.withUnsafeBytes { bytes throws(ImageError) in
                    try decode(bytes, options: options, covering: target)
                }
                memory.shrink(image.pixels)
                return image
            } catch {
                // More each time, and never more than there is altogether: a file that changes meanwhile ends it, too.
                guard error.code == .wouldBlock, memory.requiredByteCount > wanted else {
                    memory.release()
                    throw error
                }
                wanted = memory.requiredByteCount
            }
        }
    }

    /// Decodes an image that is in memory.
    ///
    /// - JPEG: baseline and progressive; gray, colour, CMYK and YCCK.
    /// - PNG: every colour type and depth. 16-bit samples keep their high byte.
    /// - WebP: lossy and lossless; of an animation, the first frame.
    /// - BMP: 1 to 32 bits a pixel, plain or in runs; Windows and OS/2 headers.
    /// - GIF: the first frame; what follows it is not looked at.
    ///
    /// Alpha is dropped: the colours under transparent pixels stay as they are stored. What an animation's first frame
    /// leaves uncovered has the file's own background colour. Colour profiles are not applied.
    ///
    /// - Parameter target: The model input that the image is for, which allows to decode fewer pixels (JPEG only: at 1/2,
    ///   1/4 or 1/8 of its sides); nil for all.
    /// - Throws: `ImageError` with code `.empty`, `.notAnImage`, `.unsupportedFormat`, `.truncated`, `.corrupt`,
    ///   `.tooLarge`, `.outOfMemory` or `.invalidRegion`.
    public static func decode(
        _ data: Data, options: ImageDecodeOptions = ImageDecodeOptions(), covering target: DecodeTarget? = nil
    ) throws(ImageError) -> DecodedImage {
        var options = options
        options.memory = nil
        let result = data.withUnsafeBytes { [options] bytes in
            Result { () throws(ImageError) in try decode(bytes, options: options, covering: target) }
        }
        return try result.get()
    }

    private static func decode(
        _ bytes: UnsafeRawBufferPointer, options: ImageDecodeOptions, covering target: DecodeTarget?
    ) throws(ImageError) -> DecodedImage {
        guard !bytes.isEmpty else {
            throw ImageError(.empty, "there are no bytes to decode")
        }
        try options.limits.check(fileBytes: bytes.count)
        guard let format = ImageFormat.detect(bytes) else {
            throw ImageError(.notAnImage, "the data is not an image; use \(ImageFormat.supportedNames)")
        }
        guard let decoder = format.decoder else {
            throw ImageError(
                .unsupportedFormat, "\(format.rawValue) is not supported; use \(ImageFormat.supportedNames)")
        }
        return try decoder.decode(bytes, options: options, covering: target)
    }
}

/// How `ImageDecoder` treats what it is given.
public struct ImageDecodeOptions: Sendable, Hashable {
    /// What an image may cost.
    public var limits: ImageLimits

    /// Whether to return what could be decoded of damaged or cut data, as long as the header is intact. What is missing
    /// is black, grey or wrong, and `DecodedImage.isPartial` is true. Off by default: damaged data is an error.
    public var allowPartial: Bool

    /// Whether an image that is decoded for a model may be decoded at a smaller size, which is much faster for large JPEG
    /// files. Scores differ a little from those of the full image: `DecodeTarget.cover` tells how much. On by default.
    public var allowsScaledDecode: Bool

    /// What the image counts against while it is in memory; nil for nothing. For files only.
    package var memory: ImageMemoryReservation?

    public init(limits: ImageLimits = ImageLimits(), allowPartial: Bool = false, allowsScaledDecode: Bool = true) {
        self.limits = limits
        self.allowPartial = allowPartial
        self.allowsScaledDecode = allowsScaledDecode
    }
}

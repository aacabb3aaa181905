public import Foundation

/// Turns the bytes of an image file into pixels. Decodes JPEG, PNG, WebP, BMP and GIF, recognized by the file's
/// contents, not by its name.
///
/// Call these functions on any thread. They compute for a while (about 5 ms per megapixel, less with a scaled decode),
/// so do not call them on the main thread or on Swift's cooperative thread pool.
///
/// Pixels and files use memory that is kept and used again: see ``ImageMemory``.
public enum ImageDecoder {
    /// Decodes the file at `path`.
    ///
    /// - Throws: `ImageError` with code `.notFound` or `.unreadableFile`, and the errors of
    ///   `decode(_:options:covering:)`.
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

    /// Reads the file once its share of the memory is free. If decoding then needs more than is free, it releases
    /// everything, waits for the larger share and reads the file again, so a waiting thread holds no memory.
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
                // The required size grows with each round, up to the whole budget. So the loop also ends for a file
                // that keeps changing.
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
    /// - PNG: every colour type and depth. Of 16-bit samples, the high byte is kept.
    /// - WebP: lossy and lossless; of an animation, the first frame.
    /// - BMP: 1 to 32 bits per pixel, plain or run-length coded; Windows and OS/2 headers.
    /// - GIF: the first frame; the rest of the file is ignored.
    ///
    /// Alpha is dropped: the colours of transparent pixels stay as stored. Pixels outside an animation's first frame
    /// have the file's own background colour. Colour profiles are not applied.
    ///
    /// - Parameter target: The model input that the image is for, which allows decoding fewer pixels (JPEG only: at
    ///   1/2, 1/4 or 1/8 of its sides); nil for all pixels.
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

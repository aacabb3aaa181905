import CPNG

/// Decodes PNG with libpng.
struct PNGDecoder: FormatDecoder {
    func decode(
        _ bytes: UnsafeRawBufferPointer, options: ImageDecodeOptions, covering target: DecodeTarget?
    ) throws(ImageError) -> DecodedImage {
        let reader = try PNGReader(bytes)
        let (width, height) = try reader.readHeader()
        try options.limits.check(width: width, height: height)
        try options.reserve(pixelCount: width * height, fileByteCount: bytes.count)
        var isPartial = false
        let pixels = try PixelImage(width: width, height: height, isCleared: options.allowPartial) {
            target throws(ImageError) in
            isPartial = try !reader.readPixels(into: target, allowPartial: options.allowPartial)
        }
        return DecodedImage(
            pixels: pixels, orientation: reader.exif.flatMap(EXIFOrientation.find) ?? .up, isPartial: isPartial)
    }
}

/// Owns one reader of the C shim: opened in `init`, closed in `deinit`. One thread uses it for one image.
private final class PNGReader {
    private let reader: UnsafeMutablePointer<hearth_png_reader>

    /// - Parameter bytes: Lent for the lifetime of the object.
    init(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
        guard let reader = hearth_png_open(bytes.baseAddress, bytes.count) else {
            throw ImageError(.outOfMemory, "there is not enough memory for a PNG decoder")
        }
        self.reader = reader
    }

    deinit {
        hearth_png_close(reader)
    }

    /// Reads until the image data. The corresponding C function is `png_read_info`.
    func readHeader() throws(ImageError) -> (width: Int, height: Int) {
        guard hearth_png_read_header(reader) else { throw failure() }
        return (Int(reader.pointee.width), Int(reader.pointee.height))
    }

    /// Decodes into `target`, which has `width * height * 3` bytes. The corresponding C function is `png_read_row`.
    ///
    /// - Returns: Whether the whole image was read.
    func readPixels(
        into target: UnsafeMutableRawBufferPointer, allowPartial: Bool
    ) throws(ImageError) -> Bool {
        if hearth_png_read_pixels(reader, target.bindMemory(to: UInt8.self).baseAddress) { return true }
        guard allowPartial, reader.pointee.rows_read > 0 else { throw failure() }
        return false
    }

    /// The EXIF block, valid for the lifetime of the reader.
    var exif: UnsafeRawBufferPointer? {
        var size: UInt32 = 0
        let bytes = hearth_png_exif(reader, &size)
        return bytes.map { UnsafeRawBufferPointer(start: $0, count: Int(size)) }
    }

    /// Converts libpng's last error into an error of this module.
    private func failure() -> ImageError {
        let reason = withUnsafeBytes(of: reader.pointee.message) { message in
            String(decoding: message.prefix { $0 != 0 }, as: UTF8.self)
        }
        return reader.pointee.truncated ? .truncated(.png, reason) : .corrupt(.png, reason)
    }
}

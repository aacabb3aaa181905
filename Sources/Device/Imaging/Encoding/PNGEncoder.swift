import CPNG
import Foundation

/// Encodes PNG with libpng.
struct PNGEncoder {
    /// libpng's own limit.
    static let maxSide = 0x7FFF_FFFF

    /// The corresponding C function is `png_write_row`.
    ///
    /// - Parameter image: RGB without padding between rows.
    func encode(_ image: PixelImage, options: ImageEncodeOptions) throws(ImageError) -> Data {
        guard image.width <= Self.maxSide, image.height <= Self.maxSide else {
            throw ImageError(.tooLarge, "a PNG's sides have at most \(Self.maxSide) pixels; scale the image down")
        }
        var writer = hearth_png_writer()
        let isWritten = image.withUnsafeBytes { pixels in
            hearth_png_write(
                &writer, pixels.bindMemory(to: UInt8.self).baseAddress, UInt32(image.width), UInt32(image.height),
                Int32(options.pngCompressionLevel))
        }
        guard isWritten, let bytes = writer.bytes else {
            free(writer.bytes)
            throw Self.failure(writer)
        }
        return Data(bytesNoCopy: bytes, count: writer.count, deallocator: .free)
    }

    /// Converts libpng's last error into an error of this module.
    private static func failure(_ writer: hearth_png_writer) -> ImageError {
        if writer.out_of_memory { return ImageError(.outOfMemory, "there is not enough memory to write a PNG") }
        let reason = withUnsafeBytes(of: writer.message) { message in
            String(decoding: message.prefix { $0 != 0 }, as: UTF8.self)
        }
        return ImageError(.encodingFailed, "the image cannot be written as a PNG (\(reason))")
    }
}

import CTurboJPEG
import Foundation

/// Encodes JPEG with libjpeg-turbo's TurboJPEG interface.
struct JPEGEncoder {
    /// libjpeg's own limit, `JPEG_MAX_DIMENSION`.
    static let maxSide = 65_500

    /// - Parameter image: RGB without padding between rows.
    func encode(_ image: PixelImage, options: ImageEncodeOptions) throws(ImageError) -> Data {
        guard image.width <= Self.maxSide, image.height <= Self.maxSide else {
            throw ImageError(
                .tooLarge,
                "the image is \(image.width) x \(image.height) pixels; a JPEG's sides have at most \(Self.maxSide):"
                    + " scale it down or write a PNG")
        }
        return try JPEGCompressor().compress(image, options: options)
    }
}

/// Owns one `tjhandle`: created in `init`, destroyed in `deinit`. One thread uses it for one image.
private final class JPEGCompressor {
    private let handle: tjhandle

    init() throws(ImageError) {
        guard let handle = tjInitCompress() else {
            throw ImageError(.outOfMemory, "there is not enough memory for a JPEG encoder")
        }
        self.handle = handle
    }

    deinit {
        tjDestroy(handle)
    }

    /// The corresponding C function is `tjCompress2`, which allocates the memory for its result itself.
    func compress(_ image: PixelImage, options: ImageEncodeOptions) throws(ImageError) -> Data {
        var result: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        let subsampling = options.chromaSubsampling == .none ? TJSAMP_444 : TJSAMP_420
        let status = image.withUnsafeBytes { pixels in
            tjCompress2(
                handle, pixels.bindMemory(to: UInt8.self).baseAddress, Int32(image.width), 0, Int32(image.height),
                TJPF_RGB.rawValue, &result, &count, Int32(bitPattern: subsampling.rawValue),
                Int32(options.jpegQuality), 0)
        }
        guard status == 0, let bytes = result else {
            let reason = String(cString: tjGetErrorStr2(handle))
            tjFree(result)
            throw ImageError(.encodingFailed, "the image cannot be written as a JPEG (\(reason))")
        }
        return Data(bytesNoCopy: bytes, count: Int(count), deallocator: .custom { memory, _ in tjFree(memory) })
    }
}

import CWebP

/// Decodes WebP with libwebp; of an animation, the first frame.
struct WebPDecoder: FormatDecoder {
    func decode(
        _ bytes: UnsafeRawBufferPointer, options: ImageDecodeOptions, covering target: DecodeTarget?
    ) throws(ImageError) -> DecodedImage {
        let container = WebPContainer(bytes)
        let frame = try Self.frame(of: container, in: bytes)
        let features = try Self.readHeader(frame.bytes, isTruncated: container.isTruncated)
        let size = (width: Int(features.width), height: Int(features.height))
        let canvas = container.isAnimated ? container.canvas ?? size : size
        try options.limits.check(width: canvas.width, height: canvas.height)
        guard frame.x + size.width <= canvas.width, frame.y + size.height <= canvas.height else {
            throw .corrupt(.webP, "its first frame does not fit")
        }
        try options.reserve(
            pixelCount: canvas.width * canvas.height,
            moreByteCount: size.width * size.height * Self.workingBytesPerPixel(features), fileByteCount: bytes.count)
        var isPartial = false
        let pixels = try PixelImage(width: canvas.width, height: canvas.height, isCleared: options.allowPartial) {
            target throws(ImageError) in
            if size != canvas {
                Self.fill(target, with: container.background)
            }
            let place = UnsafeMutableRawBufferPointer(rebasing: target[((frame.y * canvas.width + frame.x) * 3)...])
            isPartial = try !WebPReader(target: place, stride: canvas.width * 3)
                .read(frame.bytes, allowPartial: options.allowPartial)
        }
        if container.isTruncated, !options.allowPartial {
            throw .truncated(.webP, "what follows the image is missing")
        }
        return DecodedImage(
            pixels: pixels, orientation: container.exif.flatMap(EXIFOrientation.find) ?? .up,
            isPartial: isPartial || container.isTruncated)
    }

    /// The part to decode: an animation's first frame, or the whole file of a still image, in which the library finds
    /// it.
    private static func frame(
        of container: WebPContainer, in bytes: UnsafeRawBufferPointer
    ) throws(ImageError) -> WebPContainer.Frame {
        guard container.isAnimated else { return WebPContainer.Frame(x: 0, y: 0, bytes: bytes) }
        guard let frame = container.firstFrame else {
            throw container.isTruncated
                ? .truncated(.webP, "before its first frame") : .corrupt(.webP, "an animation without frames")
        }
        return frame
    }

    /// The size and kind of the image in `bytes`. The corresponding C function is `WebPGetFeatures`.
    private static func readHeader(
        _ bytes: UnsafeRawBufferPointer, isTruncated: Bool
    ) throws(ImageError) -> WebPBitstreamFeatures {
        var features = WebPBitstreamFeatures()
        let status = WebPGetFeatures(bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, &features)
        switch status {
        case VP8_STATUS_OK: return features
        case VP8_STATUS_NOT_ENOUGH_DATA where isTruncated: throw .truncated(.webP, "in its header")
        default: throw .corrupt(.webP, "its header is wrong")
        }
    }

    /// The library's memory beside the pixels: for a lossless image another copy with 4 bytes per pixel, for a lossy
    /// one the alpha plane, which may itself be lossless.
    private static func workingBytesPerPixel(_ features: WebPBitstreamFeatures) -> Int {
        let isLossless = features.format == 2
        return isLossless ? 4 : features.has_alpha != 0 ? 5 : 0
    }

    private static func fill(_ target: UnsafeMutableRawBufferPointer, with color: (UInt8, UInt8, UInt8)) {
        for offset in stride(from: 0, to: target.count, by: 3) {
            target[offset] = color.0
            target[offset + 1] = color.1
            target[offset + 2] = color.2
        }
    }
}

/// Owns one `WebPIDecoder` and the description of its output memory: created in `init`, destroyed in `deinit`. One
/// thread uses it for one image.
private final class WebPReader {
    private let decoder: OpaquePointer
    private let output: UnsafeMutablePointer<WebPDecBuffer>

    /// - Parameters:
    ///   - target: The memory from the image's first pixel on; lent for the lifetime of the object.
    ///   - stride: The bytes from one row to the next.
    init(target: UnsafeMutableRawBufferPointer, stride: Int) throws(ImageError) {
        output = .allocate(capacity: 1)
        output.initialize(to: WebPDecBuffer())
        WebPInitDecBuffer(output)
        // Alpha is dropped without being multiplied in: the colours stay as stored.
        output.pointee.colorspace = MODE_RGB
        output.pointee.is_external_memory = 1
        output.pointee.u.RGBA.rgba = target.bindMemory(to: UInt8.self).baseAddress
        output.pointee.u.RGBA.stride = Int32(stride)
        output.pointee.u.RGBA.size = target.count
        guard let decoder = WebPINewDecoder(output) else {
            output.deallocate()
            throw ImageError(.outOfMemory, "there is not enough memory for a WebP decoder")
        }
        self.decoder = decoder
    }

    deinit {
        WebPIDelete(decoder)
        output.deallocate()
    }

    /// Decodes `bytes`. The corresponding C function is `WebPIUpdate`.
    ///
    /// - Returns: Whether the whole image was read.
    func read(_ bytes: UnsafeRawBufferPointer, allowPartial: Bool) throws(ImageError) -> Bool {
        let status = WebPIUpdate(decoder, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
        if status == VP8_STATUS_OK { return true }
        guard allowPartial, hasRows else { throw failure(status) }
        return false
    }

    /// Whether at least one row of the image has been decoded.
    private var hasRows: Bool {
        var rowCount: Int32 = 0
        return WebPIDecodedArea(decoder, nil, nil, nil, &rowCount) != nil && rowCount > 0
    }

    private func failure(_ status: VP8StatusCode) -> ImageError {
        switch status {
        case VP8_STATUS_SUSPENDED, VP8_STATUS_NOT_ENOUGH_DATA: .truncated(.webP, "its pixels are not all there")
        case VP8_STATUS_OUT_OF_MEMORY: ImageError(.outOfMemory, "there is not enough memory to decode the WebP")
        default: .corrupt(.webP, "its pixels cannot be decoded")
        }
    }
}

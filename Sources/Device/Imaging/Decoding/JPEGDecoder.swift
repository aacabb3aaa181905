import CTurboJPEG

/// Decodes JPEG with libjpeg-turbo's TurboJPEG interface (version 2.1 and later).
struct JPEGDecoder: FormatDecoder {
    func decode(
        _ bytes: UnsafeRawBufferPointer, options: ImageDecodeOptions, covering target: DecodeTarget?
    ) throws(ImageError) -> DecodedImage {
        let decompressor = try JPEGDecompressor(bytes, allowPartial: options.allowPartial)
        let header = try decompressor.readHeader()
        let markers = JPEGMarkers(bytes)
        try options.limits.check(width: header.width, height: header.height)
        try options.limits.check(scans: markers.scanCount, width: header.width, height: header.height)
        let orientation = markers.exif.flatMap(EXIFOrientation.find) ?? .up
        var scale = JPEGScale.full
        if let target, options.allowsScaledDecode {
            scale = try .smallest(covering: target, size: (header.width, header.height), orientation: orientation)
        }
        try options.reserve(
            pixelCount: scale.side(header.width) * scale.side(header.height), bytesPerPixel: header.isCMYK ? 4 : 3,
            moreByteCount: markers.coefficientByteCount(width: header.width, height: header.height),
            fileByteCount: bytes.count)
        let pixels = try decompressor.readPixels(header, scale: scale)
        return DecodedImage(
            pixels: pixels, storedSize: (header.width, header.height), orientation: orientation,
            isPartial: decompressor.hasWarned)
    }
}

/// Owns one `tjhandle`: created in `init`, destroyed in `deinit`. One thread uses it for one image.
///
/// Handles are not kept for the next image: creating one takes less than a microsecond, and each starts without any
/// state of the last image.
final class JPEGDecompressor {
    struct Header {
        let width: Int
        let height: Int
        let isCMYK: Bool
    }

    private let handle: tjhandle
    private let bytes: UnsafeRawBufferPointer
    private let allowPartial: Bool
    private(set) var hasWarned = false

    /// - Parameter bytes: Lent for the lifetime of the object.
    init(_ bytes: UnsafeRawBufferPointer, allowPartial: Bool) throws(ImageError) {
        guard let handle = tjInitDecompress() else {
            throw ImageError(.outOfMemory, "there is not enough memory for a JPEG decoder")
        }
        self.handle = handle
        self.bytes = bytes
        self.allowPartial = allowPartial
    }

    deinit {
        tjDestroy(handle)
    }

    /// Reads until the first scan. The corresponding C function is `tjDecompressHeader3`.
    func readHeader() throws(ImageError) -> Header {
        var (width, height, subsampling, colorspace): (Int32, Int32, Int32, Int32) = (0, 0, -1, -1)
        let status = tjDecompressHeader3(
            handle, bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count), &width, &height, &subsampling,
            &colorspace)
        // The function also fails on chroma layouts without a name, which can be decoded. The size distinguishes the
        // two cases, because it is set only after the header has been read. And the function succeeds, without a size,
        // on data that contains only tables.
        if width < 1 || height < 1 || tjGetErrorCode(handle) == TJERR_WARNING.rawValue {
            try check(status)
        }
        guard width >= 1, height >= 1 else { throw failure("it contains no image") }
        guard colorspace >= 0 else {
            throw ImageError(.unsupportedFormat, "this JPEG's colour layout is not supported; save it as RGB")
        }
        let isCMYK = colorspace == TJCS_CMYK.rawValue || colorspace == TJCS_YCCK.rawValue
        return Header(width: Int(width), height: Int(height), isCMYK: isCMYK)
    }

    /// Decodes into memory of the new image. The corresponding C function is `tjDecompress2`.
    func readPixels(_ header: Header, scale: JPEGScale) throws(ImageError) -> PixelImage {
        let (width, height) = (scale.side(header.width), scale.side(header.height))
        return try PixelImage(
            width: width, height: height, workingBytesPerPixel: header.isCMYK ? 4 : 3, isCleared: allowPartial
        ) { target throws(ImageError) in
            let format = header.isCMYK ? TJPF_CMYK : TJPF_RGB
            let flags = TJFLAG_LIMITSCANS | (allowPartial ? 0 : TJFLAG_STOPONWARNING)
            try check(
                tjDecompress2(
                    handle, bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count),
                    target.bindMemory(to: UInt8.self).baseAddress, Int32(width), 0, Int32(height), format.rawValue,
                    flags))
            if header.isCMYK {
                CMYKConverter.convertToRGB(target, pixelCount: width * height)
            }
        }
    }

    /// Converts a TurboJPEG status into an error of this module. Accepts warnings if the options allow a partial image.
    private func check(_ status: Int32) throws(ImageError) {
        guard status != 0 else { return }
        if tjGetErrorCode(handle) == TJERR_WARNING.rawValue, allowPartial {
            hasWarned = true
            return
        }
        throw failure(String(cString: tjGetErrorStr2(handle)))
    }

    private func failure(_ reason: String) -> ImageError {
        JPEGMarkers(bytes, part: .all).reachesEnd
            ? ImageError(.corrupt, "the JPEG is damaged (\(reason)); download or save it again")
            : ImageError(.truncated, "the JPEG ends too early (\(reason)); download or save it again")
    }
}

/// Converts CMYK to RGB. JPEG files store CMYK inverted: 0 is full ink.
enum CMYKConverter {
    /// Converts in place: 4 bytes per pixel become 3 bytes per pixel, at the front of the same memory.
    static func convertToRGB(_ memory: UnsafeMutableRawBufferPointer, pixelCount: Int) {
        guard let base = memory.bindMemory(to: UInt8.self).baseAddress else { return }
        for pixel in 0..<pixelCount {
            let (source, target) = (base + pixel * 4, base + pixel * 3)
            let light = UInt32(source[3])
            // The writes stay behind the reads, so each channel is read before it can be overwritten.
            for channel in 0..<3 {
                target[channel] = shade(light, ink: 255 - UInt32(source[channel]))
            }
        }
    }

    /// `light` minus the share that the ink absorbs: `ink * light / 255`, rounded to nearest.
    private static func shade(_ light: UInt32, ink: UInt32) -> UInt8 {
        let product = ink &* light &+ 128
        return UInt8(truncatingIfNeeded: light &- ((product &>> 8 &+ product) &>> 8))
    }
}

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

/// Owns one `tjhandle`: created in `init`, destroyed in `deinit`. Used by one thread, for one image.
///
/// Handles are not kept for the next image: making one takes less than a microsecond, and each starts unspoiled by what
/// the last image did.
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

    /// - Parameter bytes: Lent for the life of the object.
    init(_ bytes: UnsafeRawBufferPointer, allowPartial: Bool) throws(ImageError) {
        guard let handle = tjInitDecompress() else {
            throw ImageError(.outOfMemory, "no memory for a JPEG decoder")
        }
        self.handle = handle
        self.bytes = bytes
        self.allowPartial = allowPartial
    }

    deinit {
        tjDestroy(handle)
    }

    /// Reads up to the first scan. The corresponding C function is `tjDecompressHeader3`.
    func readHeader() throws(ImageError) -> Header {
        var (width, height, subsampling, colorspace): (Int32, Int32, Int32, Int32) = (0, 0, -1, -1)
        let status = tjDecompressHeader3(
            handle, bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count), &width, &height, &subsampling,
            &colorspace)
        // The function also fails on chroma layouts that it has no name for, though they decode: the size tells the
        // two apart, since it is set only once the header has been read. And it succeeds, without a size, on data that
        // holds nothing but tables.
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

    /// Decodes into memory of its own. The corresponding C function is `tjDecompress2`.
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

    /// Turns a TurboJPEG status into our error; lets warnings pass if a partial image will do.
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

/// How far a JPEG is shrunk while it is decoded: each side to `1 / denominator`, rounded up.
///
/// libjpeg-turbo can decode at any eighth of the size, but has SIMD transforms for 1, 1/2 and 1/4 only, and at 1/8 has none to
/// do. The sizes between are plain C: measured, 3/8 takes as long as 1/2 or longer, and 5/8, 6/8 and 7/8 take longer than
/// the whole image. So the sides are halved as often as what is left still covers the target, three times at most.
struct JPEGScale {
    static let full = JPEGScale(denominator: 1)

    let denominator: Int

    /// The smallest that leaves the model as many pixels as `target.oversampling` asks for.
    ///
    /// - Parameters:
    ///   - size: Of the stored image.
    ///   - orientation: Of the stored image; what the target says comes first.
    /// - Throws: `ImageError` with code `.invalidRegion`.
    static func smallest(
        covering target: DecodeTarget, size: (width: Int, height: Int), orientation: ImageOrientation
    ) throws(ImageError) -> JPEGScale {
        let sides = 1...ImageLimits().maxSide
        guard sides.contains(target.width), sides.contains(target.height) else { return full }
        let upright = (target.orientation ?? orientation).uprightSize(
            storedWidth: size.width, storedHeight: size.height)
        let frame = try TensorFrame(size: upright, target: target)
        let cover = max(target.oversampling, 1)
        let needed = (columns: Double(frame.columns) * cover, rows: Double(frame.rows) * cover)
        for denominator in [8, 4, 2] {
            let scale = JPEGScale(denominator: denominator)
            let left = (
                columns: frame.width * Double(scale.side(upright.width)) / Double(upright.width),
                rows: frame.height * Double(scale.side(upright.height)) / Double(upright.height)
            )
            if left.columns >= needed.columns, left.rows >= needed.rows { return scale }
        }
        return full
    }

    /// What a side of `length` pixels becomes. The corresponding C macro is `TJSCALED`.
    func side(_ length: Int) -> Int { (length + denominator - 1) / denominator }
}

/// Converts CMYK as JPEG files hold it, inverted (0 is full ink), to RGB.
enum CMYKConverter {
    /// Converts in place: 4 bytes a pixel in, 3 bytes a pixel out at the front of the same memory.
    static func convertToRGB(_ memory: UnsafeMutableRawBufferPointer, pixelCount: Int) {
        guard let base = memory.bindMemory(to: UInt8.self).baseAddress else { return }
        for pixel in 0..<pixelCount {
            let (source, target) = (base + pixel * 4, base + pixel * 3)
            let light = UInt32(source[3])
            // The target trails the source, so each channel is read before it can be overwritten.
            for channel in 0..<3 {
                target[channel] = shade(light, ink: 255 - UInt32(source[channel]))
            }
        }
    }

    /// `light` less the share that the ink takes: `ink * light / 255`, rounded to nearest.
    private static func shade(_ light: UInt32, ink: UInt32) -> UInt8 {
        let product = ink &* light &+ 128
        return UInt8(truncatingIfNeeded: light &- ((product &>> 8 &+ product) &>> 8))
    }
}

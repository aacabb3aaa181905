import CTurboJPEG

/// Owns one `tjhandle`: created in `init`, destroyed in `deinit`. Used by one thread, for one picture.
///
/// Handles are not kept for the next picture: making one takes less than a microsecond, and each starts unspoiled by what
/// the last picture did.
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
        guard width >= 1, height >= 1 else { throw failure("no picture in it") }
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

    /// Turns a TurboJPEG status into our error; lets warnings pass if a partial picture will do.
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
            ? ImageError(.corrupt, "the JPEG is damaged (\(reason)); fetch or save it again")
            : ImageError(.truncated, "the JPEG ends too early (\(reason)); fetch or save it again")
    }
}

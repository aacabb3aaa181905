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

/// Decodes BMP. A reader of our own: docs/decisions/0012-image-formats.md says why.
struct BMPDecoder: FormatDecoder {
    func decode(
        _ bytes: UnsafeRawBufferPointer, options: ImageDecodeOptions, covering target: DecodeTarget?
    ) throws(ImageError) -> DecodedImage {
        let header = try BMPHeader(bytes)
        try options.limits.check(width: header.width, height: header.height)
        try options.reserve(pixelCount: header.width * header.height, fileByteCount: bytes.count)
        let stored = UnsafeRawBufferPointer(rebasing: bytes[min(header.pixelOffset, bytes.count)...])
        guard !stored.isEmpty else { throw .truncated(.bmp, "before its pixels") }
        if case .runLength(let bits) = header.layout {
            return try decodeRuns(stored, header, bits: bits, options: options)
        }
        return try decodeRows(stored, BMPRows(header), options: options)
    }

    private func decodeRows(
        _ stored: UnsafeRawBufferPointer, _ rows: BMPRows, options: ImageDecodeOptions
    ) throws(ImageError) -> DecodedImage {
        let (header, available) = (rows.header, rows.count(in: stored.count))
        // Told before memory is taken: a header alone may claim any size.
        guard available == header.height || (options.allowPartial && available > 0) else {
            throw .truncated(.bmp, "\(available) of its \(header.height) rows are there")
        }
        let pixels = try PixelImage(width: header.width, height: header.height, isCleared: options.allowPartial) {
            target throws(ImageError) in
            guard let pixels = target.bindMemory(to: UInt8.self).baseAddress else { return }
            for row in 0..<available {
                rows.decode(row, of: stored, to: pixels + header.place(ofRow: row) * 3)
            }
        }
        return DecodedImage(pixels: pixels, orientation: .up, isPartial: available < header.height)
    }

    private func decodeRuns(
        _ stored: UnsafeRawBufferPointer, _ header: BMPHeader, bits: Int, options: ImageDecodeOptions
    ) throws(ImageError) -> DecodedImage {
        var isComplete = false
        let pixels = try PixelImage(width: header.width, height: header.height, isCleared: options.allowPartial) {
            target throws(ImageError) in
            guard let pixels = target.bindMemory(to: UInt8.self).baseAddress else { return }
            // What the runs leave out has the first colour.
            header.palette[0].fill(pixels, count: header.width * header.height)
            var runs = BMPRuns(header, bits: bits, target: pixels)
            isComplete = runs.decode(stored)
        }
        guard isComplete || options.allowPartial else { throw .truncated(.bmp, "its runs break off") }
        return DecodedImage(pixels: pixels, orientation: .up, isPartial: !isComplete)
    }
}

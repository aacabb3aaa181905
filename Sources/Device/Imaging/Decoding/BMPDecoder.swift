/// Decodes BMP. It is Hearth's own implementation; docs/decisions/0012-image-formats.md states the reasons.
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
        // Checked before memory is allocated, because the header alone may claim any size.
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
            // Pixels that the runs skip have the first colour.
            header.palette[0].fill(pixels, count: header.width * header.height)
            var runs = BMPRuns(header, bits: bits, target: pixels)
            isComplete = runs.decode(stored)
        }
        guard isComplete || options.allowPartial else { throw .truncated(.bmp, "its runs break off") }
        return DecodedImage(pixels: pixels, orientation: .up, isPartial: !isComplete)
    }
}

/// The rows of a BMP without compression, each padded to a multiple of 4 bytes.
struct BMPRows {
    let header: BMPHeader

    /// The bytes of a row's pixels.
    private let rowSize: Int
    /// The bytes from one row to the next.
    private let stride: Int

    /// - Parameter header: A header whose size has been checked against a limit.
    init(_ header: BMPHeader) {
        self.header = header
        // No overflow in 64 bits: the width has at most 31 bits, and a pixel at most 32.
        rowSize = (header.width * header.bitsPerPixel + 7) / 8
        stride = (rowSize + 3) / 4 * 4
    }

    /// How many of the image's rows are in `byteCount` bytes. The last row may lack its padding.
    func count(in byteCount: Int) -> Int {
        min((byteCount + stride - rowSize) / stride, header.height)
    }

    /// Writes row `row` of `stored`, which must contain it, to `target`, with 3 bytes per pixel.
    func decode(_ row: Int, of stored: UnsafeRawBufferPointer, to target: UnsafeMutablePointer<UInt8>) {
        let source = UnsafeRawBufferPointer(rebasing: stored[(row * stride)..<(row * stride + rowSize)])
        switch header.layout {
        case .indexed(8): header.palette.write(source.bindMemory(to: UInt8.self), to: target)
        case .indexed(let bits): decodeIndices(source, bits: bits, to: target)
        case .bgr: decodeBGR(source, to: target)
        case .masked(2, let channels): decodeNumbers(source, UInt16.self, channels, to: target)
        case .masked(_, let channels): decodeNumbers(source, UInt32.self, channels, to: target)
        case .runLength: break
        }
    }

    private func decodeIndices(_ source: UnsafeRawBufferPointer, bits: Int, to target: UnsafeMutablePointer<UInt8>) {
        let (perByte, mask) = (8 / bits, UInt8(truncatingIfNeeded: 1 << bits - 1))
        for x in 0..<header.width {
            let shift = 8 - bits - x % perByte * bits
            header.palette[source[x / perByte] >> shift & mask].write(to: target + x * 3)
        }
    }

    private func decodeBGR(_ source: UnsafeRawBufferPointer, to target: UnsafeMutablePointer<UInt8>) {
        for x in 0..<header.width {
            target[x * 3] = source[x * 3 + 2]
            target[x * 3 + 1] = source[x * 3 + 1]
            target[x * 3 + 2] = source[x * 3]
        }
    }

    private func decodeNumbers<Number: FixedWidthInteger & BitwiseCopyable>(
        _ source: UnsafeRawBufferPointer, _: Number.Type, _ channels: BMPChannels,
        to target: UnsafeMutablePointer<UInt8>
    ) {
        for x in 0..<header.width {
            let stored = source.loadUnaligned(fromByteOffset: x * MemoryLayout<Number>.size, as: Number.self)
            channels.write(UInt32(truncatingIfNeeded: Number(littleEndian: stored)), to: target + x * 3)
        }
    }
}

/// Decodes the runs of a compressed BMP (RLE4 and RLE8), which draw rows from the first stored one on. Pixels beyond
/// the image are dropped.
struct BMPRuns {
    private let header: BMPHeader
    private let bits: Int
    private let target: UnsafeMutablePointer<UInt8>
    private var x = 0
    private var y = 0

    /// - Parameters:
    ///   - bits: The bits of an index, 4 or 8.
    ///   - target: The image's memory, with 3 bytes per pixel; lent for the lifetime of the value.
    init(_ header: BMPHeader, bits: Int, target: UnsafeMutablePointer<UInt8>) {
        self.header = header
        self.bits = bits
        self.target = target
    }

    /// - Returns: Whether the runs ended with an end mark, or at least reached the image's end.
    mutating func decode(_ stored: UnsafeRawBufferPointer) -> Bool {
        let bits = bits
        var offset = 0
        while y < header.height, offset + 2 <= stored.count {
            let (count, value) = (Int(stored[offset]), stored[offset + 1])
            offset += 2
            switch (count, value) {
            case (0, 0):
                (x, y) = (0, y + 1)
            case (0, 1):
                return true
            case (0, 2):
                guard offset + 2 <= stored.count else { return false }
                (x, y) = (x + Int(stored[offset]), y + Int(stored[offset + 1]))
                offset += 2
            case (0, _):
                let size = (Int(value) * bits + 7) / 8
                guard offset + size <= stored.count else { return false }
                draw(Int(value)) { Self.index(at: $0, in: stored[offset + $0 * bits / 8], bits: bits) }
                offset += size + size % 2
            default:
                draw(count) { Self.index(at: $0, in: value, bits: bits) }
            }
        }
        return y >= header.height || (y == header.height - 1 && x >= header.width)
    }

    /// The index in `byte` for pixel `place` of a run. Bytes of 4-bit indices begin with the upper half.
    private static func index(at place: Int, in byte: UInt8, bits: Int) -> UInt8 {
        guard bits == 4 else { return byte }
        return place % 2 == 0 ? byte >> 4 : byte & 0x0F
    }

    private mutating func draw(_ count: Int, _ index: (Int) -> UInt8) {
        let row = target + header.place(ofRow: y) * 3
        for place in 0..<max(min(count, header.width - x), 0) {
            header.palette[index(place)].write(to: row + (x + place) * 3)
        }
        x += count
    }
}

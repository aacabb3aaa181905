/// The header of a BMP: size, layout, colours. It reads all common headers, from OS/2's of 12 bytes to Windows' of 124.
/// Each larger one begins with the fields of the smaller one.
struct BMPHeader {
    enum Layout {
        /// Indices of 1, 2, 4 or 8 bits.
        case indexed(bits: Int)
        /// Blue, green, red, one byte each.
        case bgr
        /// Numbers of 2 or 4 bytes, with a bit mask for each channel.
        case masked(bytes: Int, BMPChannels)
        /// Runs of indices of 4 or 8 bits.
        case runLength(bits: Int)
    }

    /// The width in pixels, at least 1.
    let width: Int
    /// The height in pixels, at least 1.
    let height: Int
    let isTopDown: Bool
    let layout: Layout
    let palette: ColorPalette
    /// The offset of the pixels from the start of the file.
    let pixelOffset: Int

    private static let fileHeaderSize = 14
    private static let coreHeaderSize = 12

    /// - Parameter bytes: The whole file.
    init(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
        let fields = BMPFields(bytes)
        let size = try fields.uint32(14)
        guard size == Self.coreHeaderSize || 16...124 ~= size else {
            throw .corrupt(.bmp, "the size in its header, \(size) bytes, is not one that BMP has")
        }
        let isCore = size == Self.coreHeaderSize
        let width = isCore ? try fields.uint16(18) : try fields.int32(18)
        let height = isCore ? try fields.uint16(20) : try fields.int32(22)
        guard width > 0, height != 0 else { throw .corrupt(.bmp, "it has no size") }
        self.width = width
        self.height = abs(height)
        isTopDown = height < 0
        let bits = try fields.uint16(isCore ? 24 : 28)
        let coding = try Self.coding(fields, headerSize: size)
        layout = try Self.layout(bits: bits, coding, fields)

        pixelOffset = try fields.uint32(10)
        guard pixelOffset >= Self.fileHeaderSize + size else { throw .corrupt(.bmp, "its pixels begin in the header") }
        let stated = size >= 36 ? try fields.uint32(46) : 0
        palette = BMPHeader.palette(
            bytes[..<min(pixelOffset, bytes.count)], from: Self.fileHeaderSize + size,
            entrySize: isCore ? 3 : 4, count: bits > 8 ? 0 : min(stated == 0 ? .max : stated, 1 << bits))
    }

    var bitsPerPixel: Int {
        switch layout {
        case .indexed(let bits), .runLength(let bits): bits
        case .bgr: 24
        case .masked(let bytes, _): bytes * 8
        }
    }

    /// The index of the first pixel of the stored row `row`, counted over the whole image.
    func place(ofRow row: Int) -> Int {
        (isTopDown ? row : height - 1 - row) * width
    }
}

/// The coding of the pixels; raw values are the header's.
private enum BMPCoding: Int {
    case plain = 0
    case runs8 = 1
    case runs4 = 2
    case bitFields = 3
    case alphaBitFields = 6
}

extension BMPHeader {
    private static func coding(_ fields: BMPFields, headerSize: Int) throws(ImageError) -> BMPCoding {
        let number = headerSize >= 20 ? try fields.uint32(30) : 0
        // OS/2's header of 64 bytes uses the numbers from 3 on for codings of its own.
        guard let coding = BMPCoding(rawValue: number), headerSize != 64 || number < 3 else {
            throw ImageError(
                .unsupportedFormat, "this BMP is compressed in a way that is not supported (\(number)); save it as PNG")
        }
        return coding
    }

    private static func layout(bits: Int, _ coding: BMPCoding, _ fields: BMPFields) throws(ImageError) -> Layout {
        switch (coding, bits) {
        case (.plain, 1), (.plain, 2), (.plain, 4), (.plain, 8): return .indexed(bits: bits)
        case (.plain, 16): return .masked(bytes: 2, try BMPChannels(red: 0x7C00, green: 0x3E0, blue: 0x1F))
        case (.plain, 24): return .bgr
        case (.plain, 32): return .masked(bytes: 4, try BMPChannels(red: 0xFF0000, green: 0xFF00, blue: 0xFF))
        case (.runs8, 8), (.runs4, 4): return .runLength(bits: bits)
        case (.bitFields, 16), (.bitFields, 32), (.alphaBitFields, 16), (.alphaBitFields, 32):
            // The larger headers have the masks at the offset where they follow the smaller header.
            return .masked(
                bytes: bits / 8,
                try BMPChannels(red: fields.mask(54), green: fields.mask(58), blue: fields.mask(62)))
        default: throw .corrupt(.bmp, "\(bits) bits per pixel do not match the compression that its header names")
        }
    }

    /// The colours in the file: blue, green, red and, in entries of 4 bytes, an unused byte.
    private static func palette(
        _ bytes: Slice<UnsafeRawBufferPointer>, from start: Int, entrySize: Int, count: Int
    ) -> ColorPalette {
        let available = max(bytes.endIndex - start, 0) / entrySize
        return ColorPalette(count: min(count, available)) { index in
            let place = start + index * entrySize
            return ColorPalette.Color(red: bytes[place + 2], green: bytes[place + 1], blue: bytes[place])
        }
    }
}

/// Numbers at fixed offsets of the file.
private struct BMPFields {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    func uint16(_ offset: Int) throws(ImageError) -> Int { try number(UInt16.self, offset) }
    func uint32(_ offset: Int) throws(ImageError) -> Int { try number(UInt32.self, offset) }
    func int32(_ offset: Int) throws(ImageError) -> Int { try number(Int32.self, offset) }

    func mask(_ offset: Int) throws(ImageError) -> UInt32 { UInt32(truncatingIfNeeded: try uint32(offset)) }

    private func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type, _ offset: Int
    ) throws(ImageError) -> Int {
        guard let value = bytes.littleEndian(type, at: offset) else { throw .truncated(.bmp, "in its header") }
        return Int(value)
    }
}

/// The positions of red, green and blue in a pixel of 16 or 32 bits.
struct BMPChannels {
    let red: BMPChannel
    let green: BMPChannel
    let blue: BMPChannel

    /// - Parameters: The bit mask of each channel.
    /// - Throws: `ImageError` with code `.unsupportedFormat` when the bits of a channel are not contiguous.
    init(red: UInt32, green: UInt32, blue: UInt32) throws(ImageError) {
        self.red = try BMPChannel(red)
        self.green = try BMPChannel(green)
        self.blue = try BMPChannel(blue)
    }

    func write(_ pixel: UInt32, to target: UnsafeMutablePointer<UInt8>) {
        target[0] = red.value(in: pixel)
        target[1] = green.value(in: pixel)
        target[2] = blue.value(in: pixel)
    }
}

/// One channel of a pixel. Of more than 8 bits, the highest 8 count. Fewer bits are scaled to 0...255, rounded to
/// nearest.
struct BMPChannel {
    private let shift: UInt32
    private let mask: UInt32
    /// The factor that scales the values, in 65,536ths.
    private let scale: UInt32

    init(_ bits: UInt32) throws(ImageError) {
        let lowest = bits == 0 ? 0 : bits.trailingZeroBitCount
        let ones = bits >> lowest
        guard ones & (ones &+ 1) == 0 else {
            throw ImageError(.unsupportedFormat, "this BMP's colour masks are not runs of bits; save it as PNG")
        }
        let surplus = max(ones.nonzeroBitCount - 8, 0)
        shift = UInt32(lowest + surplus)
        mask = ones >> surplus
        // A channel without bits is 0.
        scale = 255 << 16 / max(mask, 1)
    }

    func value(in pixel: UInt32) -> UInt8 {
        // The shift is below 32, and the product is at most 255 in 65,536ths.
        UInt8(truncatingIfNeeded: ((pixel &>> shift & mask) &* scale &+ 0x8000) >> 16)
    }
}

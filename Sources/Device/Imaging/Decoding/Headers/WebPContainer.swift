/// Walks over the chunks of a WebP file (RIFF) to find what the decoder library does not report: the EXIF block, the
/// first frame of an animation, and whether the data is as long as the file states.
struct WebPContainer {
    /// An image and the position of its top left corner on the canvas, in pixels.
    struct Frame {
        let x: Int
        let y: Int
        /// The frame's own chunks.
        let bytes: UnsafeRawBufferPointer
    }

    /// Whether the file states a length beyond the data.
    let isTruncated: Bool

    /// The canvas of an extended file, in pixels.
    private(set) var canvas: (width: Int, height: Int)?

    /// Whether the file states that it is an animation.
    private(set) var isAnimated = false

    /// An animation's first frame.
    private(set) var firstFrame: Frame?

    /// Red, green, blue of an animation's background.
    private(set) var background: (UInt8, UInt8, UInt8) = (0, 0, 0)

    /// The first EXIF block, from its TIFF header on.
    private(set) var exif: UnsafeRawBufferPointer?

    private static let exifPrefix = "Exif\0\0".utf8

    /// - Parameter bytes: Begins with `RIFF`, a length and `WEBP`; lent for the lifetime of the value.
    init(_ bytes: UnsafeRawBufferPointer) {
        let statedEnd = 8 + Int(bytes.littleEndian(UInt32.self, at: 4) ?? 0)
        isTruncated = statedEnd > bytes.count
        let riff = UnsafeRawBufferPointer(rebasing: bytes[..<Swift.max(12, Swift.min(statedEnd, bytes.count))])
        var offset = 12
        while let size = riff.littleEndian(UInt32.self, at: offset + 4) {
            let start = offset + 8
            let payload = riff[start..<Swift.min(start + Int(size), riff.count)]
            note(riff[offset..<(offset + 4)], UnsafeRawBufferPointer(rebasing: payload))
            offset = start + Int(size) + Int(size & 1)
        }
    }

    private mutating func note(_ tag: Slice<UnsafeRawBufferPointer>, _ payload: UnsafeRawBufferPointer) {
        switch String(decoding: tag, as: UTF8.self) {
        case "VP8X": noteExtendedHeader(payload)
        case "ANIM": noteAnimation(payload)
        case "ANMF" where firstFrame == nil: noteFrame(payload)
        case "EXIF" where exif == nil:
            let hasPrefix = payload.starts(with: Self.exifPrefix)
            exif = hasPrefix ? UnsafeRawBufferPointer(rebasing: payload[Self.exifPrefix.count...]) : payload
        default: break
        }
    }

    private mutating func noteExtendedHeader(_ payload: UnsafeRawBufferPointer) {
        guard canvas == nil, let width = Self.uint24(payload, at: 4), let height = Self.uint24(payload, at: 7) else {
            return
        }
        canvas = (width + 1, height + 1)
        isAnimated = payload[0] & 0x02 != 0
    }

    private mutating func noteAnimation(_ payload: UnsafeRawBufferPointer) {
        guard payload.count >= 4 else { return }
        background = (payload[2], payload[1], payload[0])
    }

    private mutating func noteFrame(_ payload: UnsafeRawBufferPointer) {
        guard payload.count > 16, let x = Self.uint24(payload, at: 0), let y = Self.uint24(payload, at: 3) else {
            return
        }
        firstFrame = Frame(x: x * 2, y: y * 2, bytes: UnsafeRawBufferPointer(rebasing: payload[16...]))
    }

    private static func uint24(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int? {
        guard let low = bytes.littleEndian(UInt16.self, at: offset), offset + 2 < bytes.count else { return nil }
        return Int(low) | Int(bytes[offset + 2]) << 16
    }
}

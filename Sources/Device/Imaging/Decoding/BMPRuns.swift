/// Decodes the runs of a compressed BMP (RLE4 and RLE8), which draw rows from the first stored one on. What they draw beyond
/// the picture is dropped.
struct BMPRuns {
    private let header: BMPHeader
    private let bits: Int
    private let target: UnsafeMutablePointer<UInt8>
    private var x = 0
    private var y = 0

    /// - Parameters:
    ///   - bits: Of an index, 4 or 8.
    ///   - target: The picture's memory, 3 bytes a pixel; lent for the life of the value.
    init(_ header: BMPHeader, bits: Int, target: UnsafeMutablePointer<UInt8>) {
        self.header = header
        self.bits = bits
        self.target = target
    }

    /// - Returns: Whether the runs ended as they should, or at least reached the picture's end.
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

    /// The index that `byte` holds for the pixel `place` of a run: bytes of 4-bit indices begin with the upper half.
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

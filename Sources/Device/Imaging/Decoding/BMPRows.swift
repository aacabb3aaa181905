/// Rows of a BMP that are stored whole, each padded to a multiple of 4 bytes.
struct BMPRows {
    let header: BMPHeader

    /// What a row's pixels take, in bytes.
    private let rowSize: Int
    /// From one row to the next, in bytes.
    private let stride: Int

    /// - Parameter header: Its size must have been checked against a limit.
    init(_ header: BMPHeader) {
        self.header = header
        // The width has 31 bits at most and a pixel 32: no overflow in 64.
        rowSize = (header.width * header.bitsPerPixel + 7) / 8
        stride = (rowSize + 3) / 4 * 4
    }

    /// How many of the picture's rows `byteCount` bytes hold. The last may lack its padding.
    func count(in byteCount: Int) -> Int {
        min((byteCount + stride - rowSize) / stride, header.height)
    }

    /// Writes row `row` of `stored`, which must hold it, to `target`, 3 bytes a pixel.
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

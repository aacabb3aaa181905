import HearthCompression

/// Gzip files made by hand (RFC 1951, RFC 1952).
enum GzipFile {
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

    /// Up to 65,535 bytes in one block that is not compressed.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(bytes.count)
        return header + [1] + little(count) + little(~count) + bytes + little(CRC32.checksum(bytes))
            + little(UInt32(bytes.count))
    }

    /// One zero, then "the byte before, 258 times" over and over: 13 bits each. Its checksum is wrong; nobody should
    /// get that far.
    static func zeros(atLeast count: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.append(0b011, count: 3)  // last block, fixed codes
        bits.append(0b0000_1100, count: 8)  // literal 0, code 00110000
        for _ in 0...count / 258 {
            bits.append(0b1010_0011, count: 8)  // length 258, code 11000101
            bits.append(0, count: 5)  // distance 1
        }
        bits.append(0, count: 7)  // end of block
        return header + bits.bytes + [0, 0, 0, 0, 0, 0, 0, 0]
    }

    private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}

/// Bits, the first in the lowest place of a byte. Codes are given with their first bit lowest.
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var used = 8

    mutating func append(_ bits: UInt8, count: Int) {
        for place in 0..<count {
            if used == 8 {
                bytes.append(0)
                used = 0
            }
            bytes[bytes.count - 1] |= (bits >> UInt8(place) & 1) << UInt8(used)
            used += 1
        }
    }
}

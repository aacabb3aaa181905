import Foundation
import Testing

/// Puts together image files, mostly ones that no honest program would write.
enum ImageBuilder {
    static let pngSignature = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    static func bigEndian(_ value: some FixedWidthInteger) -> Data {
        withUnsafeBytes(of: value.bigEndian) { Data($0) }
    }

    static func littleEndian(_ value: some FixedWidthInteger) -> Data {
        withUnsafeBytes(of: value.littleEndian) { Data($0) }
    }

    static func chunk(_ kind: String, _ data: Data, checksum: UInt32? = nil) -> Data {
        let body = Data(kind.utf8) + data
        return bigEndian(UInt32(data.count)) + body + bigEndian(checksum ?? crc32(body))
    }

    /// A 1-bit gray PNG that is right in all but, perhaps, its image data.
    static func png(width: Int, height: Int, imageData: Data) -> Data {
        let header = bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + Data([1, 0, 0, 0, 0])
        return pngSignature + chunk("IHDR", header) + chunk("IDAT", imageData) + chunk("IEND", Data())
    }

    /// `png` with `chunk` put before the one of kind `kind`.
    static func insert(_ chunk: Data, before kind: String, in png: Data) throws -> Data {
        let place = try #require(png.range(of: Data(kind.utf8))).lowerBound - 4
        return png[..<place] + chunk + png[place...]
    }

    /// `jpeg` with an APP1 segment of `payload` put first.
    static func insertAPP1(_ payload: Data, in jpeg: Data) -> Data {
        jpeg.prefix(2) + Data([0xFF, 0xE1]) + bigEndian(UInt16(payload.count + 2)) + payload + jpeg.dropFirst(2)
    }

    /// `jpeg` with another size in its frame header.
    static func resized(_ jpeg: Data, width: UInt16, height: UInt16) throws -> Data {
        let baseline = jpeg.range(of: Data([0xFF, 0xC0, 0x00]))
        let frame = try #require(baseline ?? jpeg.range(of: Data([0xFF, 0xC2, 0x00])))
        let size = (frame.lowerBound + 5)..<(frame.lowerBound + 9)
        return jpeg[..<size.lowerBound] + bigEndian(height) + bigEndian(width) + jpeg[size.upperBound...]
    }

    /// A TIFF structure with one directory of one entry: the orientation.
    static func exif(
        orientation: UInt16, type: UInt16 = 3, count: UInt32 = 1, entries: UInt16 = 1, directory: UInt32 = 8
    ) -> Data {
        let entry = bigEndian(UInt16(0x0112)) + bigEndian(type) + bigEndian(count) + bigEndian(orientation)
        return Data("MM\0*".utf8) + bigEndian(directory) + bigEndian(entries) + entry + Data(count: 6)
    }

    private static func crc32(_ data: Data) -> UInt32 {
        ~data.reduce(~UInt32(0)) { checksum, byte in
            (0..<8).reduce(checksum ^ UInt32(byte)) { value, _ in (value >> 1) ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }
}

extension Data {
    /// A copy, counted from 0, with `bytes` in place of what is at `offset`.
    func replacing(_ offset: Int, with bytes: Data) -> Data {
        var copy = Data(self)
        copy.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
        return copy
    }
}

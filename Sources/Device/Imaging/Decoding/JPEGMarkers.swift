import Foundation

/// A walk over the markers of a JPEG, for what the decoder library does not tell: the EXIF block, the number of scans
/// before any is decoded, and whether the data reaches the end-of-image marker.
///
/// It sees at least every scan that the library would decode: both skip a segment by its stated length and search for
/// the next marker byte from there.
struct JPEGMarkers {
    /// How far to walk.
    enum Part {
        /// To the first scan, if that is the only one that the library would decode: one of a sequential picture that
        /// holds all of its components (a second scan is an error to the library then). To the end otherwise.
        case decoded
        case all
    }

    private(set) var scanCount = 0
    private(set) var reachesEnd = false

    /// The first EXIF block, from its TIFF header on.
    private(set) var exif: UnsafeRawBufferPointer?

    /// Of the first frame header; nil for a progressive picture.
    private var sequentialComponents: UInt8?
    private var isSingleScan = false

    private static let exifPrefix = "Exif\0\0".utf8

    /// - Parameter bytes: Begin with the start-of-image marker; lent for the life of the value.
    init(_ bytes: UnsafeRawBufferPointer, part: Part = .decoded) {
        var offset = 2
        while let marker = Self.nextMarker(in: bytes, at: &offset) {
            switch marker {
            case 0xD9:
                reachesEnd = true
                return
            case 0x00..<0xC0, 0xD0...0xD8:
                continue  // stuffed data and markers without a segment
            default:
                guard let segment = Self.segment(in: bytes, at: offset) else { return }
                note(marker, segment)
                if part == .decoded, isSingleScan { return }
                offset += 2 + segment.count
            }
        }
    }

    private mutating func note(_ marker: UInt8, _ segment: UnsafeRawBufferPointer) {
        switch marker {
        case 0xC0, 0xC1:
            // Precision, two sides of two bytes, then the number of components.
            sequentialComponents = segment.count > 5 ? segment[5] : nil
        case 0xDA:
            isSingleScan = scanCount == 0 && segment.first != nil && segment.first == sequentialComponents
            scanCount += 1
        case 0xE1 where exif == nil && segment.starts(with: Self.exifPrefix):
            exif = UnsafeRawBufferPointer(rebasing: segment[Self.exifPrefix.count...])
        default: break
        }
    }

    /// The byte after the next 0xFF (any number of which may come before it); leaves `offset` behind it.
    private static func nextMarker(in bytes: UnsafeRawBufferPointer, at offset: inout Int) -> UInt8? {
        guard offset < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + offset, 0xFF, bytes.count - offset)
        else { return nil }
        offset = UnsafeRawPointer(found) - base
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            if byte != 0xFF { return byte }
        }
        return nil
    }

    /// The segment whose big-endian length, which counts itself, is at `offset`.
    private static func segment(in bytes: UnsafeRawBufferPointer, at offset: Int) -> UnsafeRawBufferPointer? {
        guard offset + 2 <= bytes.count else { return nil }
        let length = Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
        guard length >= 2, offset + length <= bytes.count else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[(offset + 2)..<(offset + length)])
    }
}

import Foundation

/// Walks over the markers of a JPEG to find what the decoder library does not report: the EXIF block, the number of
/// scans before any is decoded, and whether the data reaches the end-of-image marker.
///
/// It finds at least every scan that the library would decode: both skip a segment by its stated length and then search
/// for the next marker byte.
struct JPEGMarkers {
    /// The part of the file to walk over.
    enum Part {
        /// Until the first scan, if the library would decode only that one: the scan of a sequential image that
        /// contains all of its components (the library treats a second scan as an error). Otherwise until the end.
        case decoded
        case all
    }

    private(set) var scanCount = 0
    private(set) var reachesEnd = false

    /// The first EXIF block, from its TIFF header on.
    private(set) var exif: UnsafeRawBufferPointer?

    /// The blocks of each component in one unit of the image, horizontally and vertically, as the first frame header
    /// states.
    private var samplings: [(columns: Int, rows: Int)] = []

    /// The number of components in the first frame header; nil for a progressive image.
    private var sequentialComponents: UInt8?
    private var isSingleScan = false

    private static let exifPrefix = "Exif\0\0".utf8

    /// - Parameter bytes: Begins with the start-of-image marker; lent for the lifetime of the value.
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

    /// The memory that the library needs when the pixels come in several scans: the coefficients of all components, 2
    /// bytes each, until the last scan. 0 for an image with one scan.
    func coefficientByteCount(width: Int, height: Int) -> Int {
        guard !isSingleScan else { return 0 }
        let most = (columns: samplings.map(\.columns).max() ?? 1, rows: samplings.map(\.rows).max() ?? 1)
        let units = (
            columns: (width + most.columns * 8 - 1) / (most.columns * 8),
            rows: (height + most.rows * 8 - 1) / (most.rows * 8)
        )
        return samplings.reduce(0) { $0 + units.columns * $1.columns * units.rows * $1.rows * 64 * 2 }
    }

    private mutating func note(_ marker: UInt8, _ segment: UnsafeRawBufferPointer) {
        if samplings.isEmpty, (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
            samplings = Self.samplings(segment)
        }
        switch marker {
        case 0xC0, 0xC1:
            // Precision, two sides of two bytes each, then the number of components.
            sequentialComponents = segment.count > 5 ? segment[5] : nil
        case 0xDA:
            isSingleScan = scanCount == 0 && segment.first != nil && segment.first == sequentialComponents
            scanCount += 1
        case 0xE1 where exif == nil && segment.starts(with: Self.exifPrefix):
            exif = UnsafeRawBufferPointer(rebasing: segment[Self.exifPrefix.count...])
        default: break
        }
    }

    /// Precision, two sides of two bytes each, the number of components, then three bytes for each of them.
    private static func samplings(_ segment: UnsafeRawBufferPointer) -> [(columns: Int, rows: Int)] {
        stride(from: 7, to: segment.count, by: 3).prefix(segment.count > 5 ? Int(segment[5]) : 0).map { place in
            (columns: max(1, Int(segment[place] >> 4)), rows: max(1, Int(segment[place] & 15)))
        }
    }

    /// The byte after the next 0xFF, of which there may be several in a row. Moves `offset` after it.
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

    /// The segment at `offset`, which begins with its big-endian length, including the length itself.
    private static func segment(in bytes: UnsafeRawBufferPointer, at offset: Int) -> UnsafeRawBufferPointer? {
        guard offset + 2 <= bytes.count else { return nil }
        let length = Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
        guard length >= 2, offset + length <= bytes.count else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[(offset + 2)..<(offset + length)])
    }
}

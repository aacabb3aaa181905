/// Finds the orientation in an EXIF block: a TIFF structure whose first directory may hold tag 0x0112.
///
/// EXIF data comes from many programs, and may be hostile. Any mistake in it means "no orientation", not an error.
struct EXIFOrientation {
    private static let orientationTag: UInt16 = 0x0112
    private static let shortType: UInt16 = 3
    private static let entrySize = 12

    private let tiff: UnsafeRawBufferPointer
    private let isBigEndian: Bool

    /// The orientation in `tiff`, which begins at the byte order mark.
    static func find(in tiff: UnsafeRawBufferPointer) -> ImageOrientation? {
        EXIFOrientation(tiff)?.orientation()
    }

    private init?(_ tiff: UnsafeRawBufferPointer) {
        if tiff.starts(with: "II*\0".utf8) {
            isBigEndian = false
        } else if tiff.starts(with: "MM\0*".utf8) {
            isBigEndian = true
        } else {
            return nil
        }
        self.tiff = tiff
    }

    private func orientation() -> ImageOrientation? {
        guard let directory = uint32(at: 4).flatMap(Int.init(exactly:)), let count = uint16(at: directory) else {
            return nil
        }
        for index in 0..<Int(count) {
            // No overflow in 64 bits: a 32-bit offset plus 65,535 entries of 12 bytes.
            let entry = directory + 2 + index * Self.entrySize
            guard let tag = uint16(at: entry) else { return nil }
            guard tag == Self.orientationTag else { continue }
            guard uint16(at: entry + 2) == Self.shortType, uint32(at: entry + 4) == 1 else { return nil }
            return uint16(at: entry + 8).flatMap(UInt8.init(exactly:)).flatMap(ImageOrientation.init(rawValue:))
        }
        return nil
    }

    private func uint16(at offset: Int) -> UInt16? {
        guard offset >= 0, offset <= tiff.count - 2 else { return nil }
        let value = tiff.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
        return isBigEndian ? UInt16(bigEndian: value) : UInt16(littleEndian: value)
    }

    private func uint32(at offset: Int) -> UInt32? {
        guard offset >= 0, offset <= tiff.count - 4 else { return nil }
        let value = tiff.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return isBigEndian ? UInt32(bigEndian: value) : UInt32(littleEndian: value)
    }
}
